import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";
import { isObject } from "../util/own.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { ensureFolder, syncFolder } from "./private-file.ts";
import { storeError } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

export function runsFolder(folder: string): string {
  return join(folder, "runs");
}

const chunkBytes = 64 * 1024;

function readAt(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, start));
}

/** Cuts a last line that its writer did not finish: the next record would be glued to it. Returns the bytes left. */
function cutTornLine(fd: number): number {
  const { size } = fstatSync(fd);
  for (let end = size; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes);
    const newline = readAt(fd, start, end - start).lastIndexOf(10);
    if (newline === -1) continue;
    const kept = start + newline + 1;
    if (kept < size) ftruncateSync(fd, kept);
    return kept;
  }
  if (size > 0) ftruncateSync(fd, 0);
  return 0;
}

/** Throws a sentence when the first record says that this journal is not ours to continue. */
function checkOpening(fd: number, id: string, principal: string): void {
  const text = readAt(fd, 0, chunkBytes).toString("utf8").split("\n", 1)[0] ?? "";
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    record = null;
  }
  if (!isObject(record) || record.kind !== "journal_opened" || record.id !== id) {
    throw new Error("its first record does not open it");
  }
  if (record.v !== 1) throw new Error("it was written by a later version");
  if (record.principal !== principal) throw new Error("it belongs to another principal");
}

/** Repairs an existing journal and says whether it has its opening record. */
function repair(path: string, id: string, principal: string): boolean {
  const fd = openSync(path, "r+");
  try {
    if (cutTornLine(fd) === 0) return false;
    checkOpening(fd, id, principal);
    return true;
  } finally {
    closeSync(fd);
  }
}

/**
 * A stored conversation as a file of lines, made with its first record; an existing one is continued, after a torn
 * last line was cut. One process at a time writes a journal. Throws `store_failed` for an id that is none; `append`
 * rejects with it when the record cannot be made durable or the journal belongs to somebody else.
 */
export function createJournalFile(
  folder: string,
  id: string,
  principal: string,
  clock: Clock,
): Required<Journal> {
  const runs = runsFolder(folder);
  const path = join(runs, `${isStoreId(id) ? id : "_"}.jsonl`);
  const fail = (cause: unknown) => storeError("store_failed", "The run cannot be stored", path, cause);
  if (!isStoreId(id)) throw fail(new Error("its id is not made of letters, digits, _ and -"));
  let file: AppendFile | null = null;
  let closed = false;

  function open(): AppendFile {
    ensureFolder(runs);
    const exists = existsSync(path);
    const opened = exists && repair(path, id, principal);
    const at = new Date(clock.wall()).toISOString();
    const opening: JournalRecord = { kind: "journal_opened", v: 1, id, at, principal };
    const made = openAppendFile({
      path,
      open: exists ? "existing" : "new",
      fail,
      ...(!opened && { firstLine: JSON.stringify(opening) }),
    });
    if (!exists) syncFolder(runs);
    return made;
  }

  return {
    id,
    append(record) {
      if (closed) return Promise.reject(fail(new Error("it is closed")));
      try {
        file ??= open();
        return file.append(JSON.stringify(record));
      } catch (error) {
        return Promise.reject(fail(error));
      }
    },
    flush: () => file?.flush() ?? Promise.resolve(),
    async close() {
      closed = true;
      await file?.close();
    },
  };
}
