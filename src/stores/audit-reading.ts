import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { auditPaths } from "./audit-opening.ts";
import { type AuditRecord, readAuditRecord } from "./audit-record.ts";
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

/**
 * The records that `wanted` takes, in the order in which they were written, of the newest file that has any. `mark`
 * is a text that every wanted line holds; the others are not even parsed.
 */
export async function findRecords(
  folder: string,
  mark: string,
  wanted: (record: AuditRecord) => boolean,
): Promise<readonly AuditRecord[]> {
  for (const { path, file } of await logFiles(folder)) {
    const found: AuditRecord[] = [];
    try {
      for await (const { text } of readLines(path)) {
        const record = text?.includes(mark) ? readAuditRecord(text, file) : null;
        if (record !== null && wanted(record)) found.push(record);
      }
    } catch (error) {
      throw storeError("store_failed", "The audit log cannot be read", path, error);
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** The first record of a file: who wrote it. Null when it cannot be read. */
export async function openingRecord(folder: string, file: string): Promise<AuditRecord | null> {
  const path = join(auditPaths(folder).logs, `${file}.jsonl`);
  for await (const { text } of readLines(path)) return text === null ? null : readAuditRecord(text, file);
  return null;
}
