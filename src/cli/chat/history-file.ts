import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "../replace-file.ts";
import { readHistory, remember, writeHistory } from "./history.ts";

/** A larger file is not ours. */
const mostBytes = 8 * 1024 * 1024;

/** What was typed in earlier chats, kept in a file for the owner's eyes; without a path it is kept nowhere. */
export interface HistoryFile {
  load(): Promise<readonly string[]>;
  /** Adds one input to what the file holds now: another chat may have written to it. Never rejects. */
  add(text: string): Promise<void>;
}

export function openHistoryFile(path: string | null): HistoryFile {
  if (path === null) return { load: async () => [], add: async () => {} };
  let adding = Promise.resolve();

  async function load(file: string): Promise<readonly string[]> {
    try {
      if ((await stat(file)).size > mostBytes) return [];
      return readHistory(await readFile(file, "utf8"));
    } catch {
      return [];
    }
  }

  async function write(file: string, text: string): Promise<void> {
    const before = await load(file);
    const history = remember(before, text);
    if (history === before) return;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, writeHistory(history));
    } catch {
      // What was typed is a convenience: a chat goes on without it.
    }
  }

  return {
    load: () => load(path),
    add(text) {
      adding = adding.then(() => write(path, text));
      return adding;
    },
  };
}
