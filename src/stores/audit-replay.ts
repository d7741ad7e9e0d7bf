import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { HostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";
import { auditPaths } from "./audit-opening.ts";
import { type AuditRecord, readAuditRecord } from "./audit-record.ts";
import { readLines } from "./read-lines.ts";
import { systemCode } from "./store-error.ts";

const extension = ".jsonl";

/**
 * The files of an audit log, the one that was begun first before others: of a state folder, of a folder with such files,
 * or the one that is named.
 * @throws HostError `input_invalid`, when there is none or it cannot be read
 */
export async function auditFilesAt(place: string): Promise<readonly string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place];
    const { logs } = auditPaths(place);
    const folder = (await stat(logs).catch(() => null))?.isDirectory() === true ? logs : place;
    // Their names begin with the moment at which they were begun.
    const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).sort();
    if (names.length > 0 || folder === logs) return names.map((name) => join(folder, name));
  } catch (error) {
    throw unreadable(place, systemCode(error) === "ENOENT" ? "there is nothing of that name" : error);
  }
  throw unreadable(place, `there is no file *${extension} in it`);
}

/** The same of a state folder in which nothing may have been written yet. */
export async function auditFilesOf(folder: string): Promise<readonly string[]> {
  const { logs } = auditPaths(folder);
  try {
    await stat(logs);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw unreadable(logs, error);
  }
  return auditFilesAt(folder);
}

/**
 * The records of a file in the order in which they were written, as a stream; null for a line that is none.
 * @throws HostError `input_invalid`, when the file cannot be read
 */
export async function* recordsOf(path: string): AsyncGenerator<AuditRecord | null> {
  const file = basename(path, extension);
  try {
    for await (const { text, complete } of readLines(path)) {
      const record = text === null ? null : readAuditRecord(text, file);
      // The last line of a process that was killed, or writes at this moment.
      if (record === null && !complete) return;
      yield record;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(place: string, why: unknown): HostError {
  const reason = why instanceof Error ? why.message : String(why);
  return new HostError(
    "input_invalid",
    `The audit log ${visibleLine(place)} cannot be read: ${visibleLine(reason)}.`,
    { cause: why },
  );
}
