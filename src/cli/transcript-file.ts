import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { HostError } from "../errors.ts";
import type { RunResult } from "../types/events.ts";
import { visibleLine } from "../util/visible.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Checks that a transcript can be written, before anything is spent on it.
 * @throws HostError `config_invalid`
 */
export async function checkTranscriptPath(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw wrong(path, "is a folder; name a file in it");
  // The file is replaced as a whole: a device such as /dev/null would be gone afterwards.
  if (found !== null && !found.isFile()) throw wrong(path, "is a device or a pipe; name a file");
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) throw wrong(path, "is in a folder that does not exist or cannot be written");
}

function wrong(path: string, problem: string): HostError {
  return new HostError("config_invalid", `--transcript ${visibleLine(path)} ${problem}.`);
}

/**
 * Writes how a run ended and the whole conversation, for the owner's eyes alone. A reader sees the old file or the new
 * one, never a part; a link stays one. Secrets that the host knows by value are blanked out in every text; what a tool said of its own
 * accord stands as it was said.
 * @throws HostError `store_failed`
 */
export async function writeTranscript(
  path: string,
  conversation: string,
  result: RunResult,
  redact: (text: string) => string,
): Promise<void> {
  const { runId, stop, turns, calls, usage, messages } = result;
  const content = JSON.stringify(
    { version: 1, conversation, runId, stop, turns, calls, usage, messages },
    (_key, value: unknown) => (typeof value === "string" ? redact(value) : value),
    1,
  );
  await replaceFile(path, `${content}\n`);
}
