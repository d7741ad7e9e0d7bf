import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { auditPaths } from "./audit-opening.ts";
import { type AuditRecord, type LogOpened, readAuditRecord } from "./audit-record.ts";
import { readLines } from "./read-lines.ts";
import { readLinesBackward } from "./read-lines-backward.ts";
import { storeError, systemCode } from "./store-error.ts";

interface LogFile {
  readonly file: string;
  readonly path: string;
  /** When something was last added, ISO 8601. */
  readonly changedAt: string;
}

/** The files of the log, the one that was written last first. */
async function logFiles(folder: string): Promise<readonly LogFile[]> {
  const { logs } = auditPaths(folder);
  try {
    const names = (await readdir(logs)).filter((name) => name.endsWith(".jsonl"));
    const files = await Promise.all(
      names.map(async (name): Promise<LogFile> => {
        const path = join(logs, name);
        const changedAt = new Date((await stat(path)).mtimeMs).toISOString();
        return { file: name.slice(0, -".jsonl".length), path, changedAt };
      }),
    );
    return files.sort((a, b) => (a.changedAt < b.changedAt ? 1 : a.changedAt > b.changedAt ? -1 : 0));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw storeError("store_failed", "The audit log cannot be read", logs, error);
  }
}

async function* recordsBackward({ path, file }: LogFile): AsyncGenerator<AuditRecord> {
  for await (const line of readLinesBackward(path)) {
    const record = readAuditRecord(line, file);
    if (record !== null) yield record;
  }
}

interface Reading {
  readonly records: AsyncGenerator<AuditRecord>;
  next: AuditRecord;
}

/** Clocks of file systems and of processes differ by this much, in ms. */
const clockSlackMs = 2_000;

/**
 * All records, the newest first, a block of a file at a time: whoever stops early has read only the newest. Files of
 * processes that wrote at the same time are merged. Rejects with `store_failed`.
 */
export async function* newestRecords(folder: string): AsyncGenerator<AuditRecord> {
  const waiting = [...(await logFiles(folder))];
  const open: Reading[] = [];

  async function advance(reading: Reading): Promise<void> {
    const { done, value } = await reading.records.next();
    if (done === true) open.splice(open.indexOf(reading), 1);
    else reading.next = value;
  }

  /** Opens the files that may hold something newer than what is known. */
  async function openNewer(): Promise<void> {
    for (;;) {
      const [file] = waiting;
      const newest = newestOf(open);
      if (file === undefined) return;
      const slack = new Date(Date.parse(file.changedAt) + clockSlackMs).toISOString();
      if (newest !== undefined && newest.next.at > slack) return;
      waiting.shift();
      const records = recordsBackward(file);
      const { done, value } = await records.next();
      if (done !== true) open.push({ records, next: value });
    }
  }

  try {
    for (await openNewer(); open.length > 0; await openNewer()) {
      const newest = newestOf(open);
      if (newest === undefined) return;
      yield newest.next;
      await advance(newest);
    }
  } catch (error) {
    throw storeError("store_failed", "The audit log cannot be read", auditPaths(folder).logs, error);
  } finally {
    await Promise.all(open.map((reading) => reading.records.return(undefined)));
  }
}

function newestOf(open: readonly Reading[]): Reading | undefined {
  let newest = open[0];
  for (const reading of open) if (newest !== undefined && reading.next.at > newest.next.at) newest = reading;
  return newest;
}

/** The records of one file that `wanted` takes, in the order in which they were written. */
async function recordsIn(
  { path, file }: Pick<LogFile, "path" | "file">,
  mark: string,
  wanted: (record: AuditRecord) => boolean,
): Promise<readonly AuditRecord[]> {
  const found: AuditRecord[] = [];
  try {
    for await (const { text } of readLines(path)) {
      const record = text?.includes(mark) ? readAuditRecord(text, file) : null;
      if (record !== null && wanted(record)) found.push(record);
    }
  } catch (error) {
    throw storeError("store_failed", "The audit log cannot be read", path, error);
  }
  return found;
}

/**
 * The records that `wanted` takes, in the order in which they were written: those of the newest file that has any, and
 * of the files that the same process wrote before it. `mark` is a text that every wanted line holds; the others are
 * not even parsed.
 */
export async function findRecords(
  folder: string,
  mark: string,
  wanted: (record: AuditRecord) => boolean,
  where: "all files of the process" | "one file" = "all files of the process",
): Promise<readonly AuditRecord[]> {
  for (const file of await logFiles(folder)) {
    const found = await recordsIn(file, mark, wanted);
    if (found.length === 0) continue;
    if (where === "one file") return found;
    let earlier: readonly AuditRecord[] = [];
    for (const before of await filesBefore(folder, file.file)) {
      earlier = [...(await recordsIn(before, mark, wanted)), ...earlier];
    }
    return [...earlier, ...found];
  }
  return [];
}

/** The files that this one goes on from and that the same process wrote, the last one first. */
async function filesBefore(folder: string, file: string): Promise<readonly Pick<LogFile, "path" | "file">[]> {
  const files: Pick<LogFile, "path" | "file">[] = [];
  const known = new Set([file]);
  let opening = await openingOf(folder, file);
  while (opening?.follows && !known.has(opening.follows.file)) {
    const { file: name } = opening.follows;
    // A name becomes part of a path.
    if (!/^[\w-]+$/.test(name)) break;
    known.add(name);
    const before = await openingOf(folder, name);
    if (before === null || before.pid !== opening.pid || before.principal !== opening.principal) break;
    files.push({ file: name, path: join(auditPaths(folder).logs, `${name}.jsonl`) });
    opening = before;
  }
  return files;
}

/** The first record of a file, which says who wrote it. Null when it cannot be read. */
export async function openingOf(folder: string, file: string): Promise<LogOpened | null> {
  const path = join(auditPaths(folder).logs, `${file}.jsonl`);
  try {
    for await (const { text } of readLines(path)) {
      const entry = text === null ? undefined : readAuditRecord(text, file)?.entry;
      return entry?.kind === "log_opened" ? entry : null;
    }
  } catch {
    // Removed since its folder was read, or nobody's to read.
  }
  return null;
}
