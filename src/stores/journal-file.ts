import { closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { HostError } from "../errors.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { inUse, journalPath, lockPath, readOpening, runsFolder } from "./journal-path.ts";
import { ensureFolder, noFollow, syncFolder } from "./private-file.ts";
import { takeLock } from "./process-lock.ts";
import { storeError } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

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
  if (readOpening(text, id).principal !== principal) throw new Error("it belongs to another principal");
}

/** Repairs an existing journal and says whether it has its opening record. */
function repair(path: string, id: string, principal: string): boolean {
  const fd = openSync(path, constants.O_RDWR | noFollow);
  try {
    if (cutTornLine(fd) === 0) return false;
    checkOpening(fd, id, principal);
    return true;
  } finally {
    closeSync(fd);
  }
}

/** A journal of which nothing is written before it is opened. */
export interface JournalFile extends Required<Journal> {
  /**
   * Takes the journal for this writer alone, until it is closed. Throws `store_failed` and `conversation_in_use`; the
   * latter also when it is not as long as `end` says.
   */
  open(end?: number): void;
}

/**
 * A stored conversation as a file of lines, made with its first record; an existing one is continued, after a torn
 * last line was cut. Throws `store_failed` for an id that is none; `append` opens what was not opened and rejects
 * when the record cannot be made durable or the journal belongs to somebody else.
 */
export function createJournalFile(folder: string, id: string, principal: string, clock: Clock): JournalFile {
  const runs = runsFolder(folder);
  const path = journalPath(folder, id);
  const fail = (cause: unknown) => storeError("store_failed", "The run cannot be stored", path, cause);
  if (!isStoreId(id)) throw fail(new Error("its id is not made of letters, digits, _ and -"));
  let file: AppendFile | null = null;
  let release: (() => void) | null = null;
  let closed = false;
  /** Its length before anything is written here. */
  let known = 0;

  function lock(end = lengthOf(path)): void {
    ensureFolder(runs);
    const taken = takeLock(lockPath(folder, id));
    if (typeof taken !== "function") throw inUse(id, taken);
    release = taken;
    known = lengthOf(path);
    if (known !== end) throw goneOnWith(id);
  }

  /** A journal that cannot be opened is nobody's. */
  function unlock(): void {
    release?.();
    release = null;
  }

  function openFile(): AppendFile {
    if (release === null) lock();
    const exists = existsSync(path);
    const opened = exists && repair(path, id, principal);
    const at = new Date(clock.wall()).toISOString();
    const opening: JournalRecord = { kind: "journal_opened", v: 1, id, at, principal, cwd: process.cwd() };
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
    open(end) {
      try {
        lock(end);
      } catch (error) {
        unlock();
        throw error instanceof HostError ? error : fail(error);
      }
    },
    get end() {
      return file?.bytes ?? known;
    },
    append(record) {
      if (closed) return Promise.reject(fail(new Error("it is closed")));
      try {
        file ??= openFile();
        return file.append(JSON.stringify(record));
      } catch (error) {
        unlock();
        return Promise.reject(error instanceof HostError ? error : fail(error));
      }
    },
    flush: () => file?.flush() ?? Promise.resolve(),
    async close() {
      closed = true;
      await file?.close();
      unlock();
    },
  };
}

/** Up to its last line that is whole; 0 for a file that is not there. */
function lengthOf(path: string): number {
  if (!existsSync(path)) return 0;
  const fd = openSync(path, constants.O_RDWR | noFollow);
  try {
    return cutTornLine(fd);
  } finally {
    closeSync(fd);
  }
}

function goneOnWith(id: string): HostError {
  return new HostError(
    "conversation_in_use",
    `The conversation ${id} was continued or removed elsewhere since it was read; continue it anew by its id.`,
    { data: { id } },
  );
}
