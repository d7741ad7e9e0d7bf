import { join } from "node:path";
import { createChainCheck } from "../util/hash-chain.ts";
import { isObject } from "../util/own.ts";
import type { Head } from "./audit-heads.ts";
import { auditPaths } from "./audit-opening.ts";
import type { CheckSignature } from "./audit-signature.ts";
import { nativeHash } from "./native-hash.ts";
import { readLines } from "./read-lines.ts";
import { systemCode } from "./store-error.ts";
import { type Behind, type GoesOn, withBehind } from "./verify-behind.ts";
import { checkKept, checkSignatures, namesIn, readHeads } from "./verify-heads.ts";

/** What was found in one file of the audit log. Sentences are for a person. */
export interface AuditFileReport {
  readonly path: string;
  /** Good records, from the first. */
  readonly records: number;
  readonly ok: boolean;
  readonly problem?: string;
  /** The first record that is not as it was written. */
  readonly firstBadSeq?: number;
  /** Something to know that need not be tampering, such as a torn last line. */
  readonly note?: string;
  /** How many records stand at its end that no head covers: they may have been added. Absent for none. */
  readonly uncovered?: number;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly files: readonly AuditFileReport[];
  readonly records: number;
  /** Of a log that is not there: why it may have been, in a sentence. */
  readonly note?: string;
}

/** The record of an earlier file that a file says it continues. */
interface Continued {
  readonly file: string;
  readonly seq: number;
  readonly hash: string;
}

export interface CheckedFile {
  readonly report: AuditFileReport;
  readonly continues: Continued | null;
  /** Hashes by number, of the records that other files or kept heads name. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly behind: Behind | null;
}

interface Opening {
  readonly continues: Continued | null;
  readonly pid: number | null;
}

/** What the first record says of its file, or why it is not its first record. */
function readOpening(line: string, file: string): Opening | { problem: string } {
  const record: unknown = JSON.parse(line);
  if (!isObject(record) || record.kind !== "log_opened" || record.file !== file) {
    return { problem: "Record 1 is not the opening of this file: the file was renamed or put here." };
  }
  const { follows, prev } = record;
  const pid = Number.isSafeInteger(record.pid) ? Number(record.pid) : null;
  if (!isObject(follows)) return { continues: null, pid };
  const { file: followed, seq } = follows;
  if (typeof followed !== "string" || typeof seq !== "number" || typeof prev !== "string") {
    return { problem: "Record 1 does not say which file it continues." };
  }
  return { continues: { file: followed, seq, hash: prev }, pid };
}

const torn = "Its last line is torn: its process ended while writing it, or is writing it now.";

/** The records that files say they continue: the numbers by file. */
async function continuedRecords(logs: string, files: Iterable<string>): Promise<Map<string, Set<number>>> {
  const wanted = new Map<string, Set<number>>();
  for (const file of files) {
    try {
      for await (const { text } of readLines(join(logs, `${file}.jsonl`))) {
        const opening = text === null ? null : readOpening(text, file);
        if (opening === null || "problem" in opening || opening.continues === null) break;
        const { file: followed, seq } = opening.continues;
        wanted.set(followed, (wanted.get(followed) ?? new Set()).add(seq));
        break;
      }
    } catch {
      // What cannot be read is reported when its records are checked.
    }
  }
  return wanted;
}

interface FileToCheck {
  readonly path: string;
  readonly file: string;
  readonly head: Head | undefined;
  /** Numbers of the records that other files or kept heads name. */
  readonly named: ReadonlySet<number>;
}

async function checkFile({ path, file, head, named }: FileToCheck): Promise<CheckedFile> {
  const check = createChainCheck({ hashText: nativeHash, ...(head && { head }) });
  const hashes = new Map<number, string>();
  let opened: Opening = { continues: null, pid: null };
  let behind: Behind | null = null;
  let note: string | undefined;

  const result = (problem?: string, firstBadSeq?: number): CheckedFile => ({
    report: {
      path,
      records: check.position.seq,
      ok: problem === undefined,
      ...(problem !== undefined && { problem }),
      ...(firstBadSeq !== undefined && { firstBadSeq }),
      ...(note !== undefined && { note }),
    },
    continues: opened.continues,
    hashes,
    behind,
  });

  try {
    for await (const { text, complete } of readLines(path)) {
      if (!complete) {
        note = torn;
        break;
      }
      const found = check.add(text);
      if (found !== null) return result(found.problem, found.seq);
      const { seq, hash } = check.position;
      if (named.has(seq)) hashes.set(seq, hash);
      if (seq > 1) continue;
      const opening = readOpening(text ?? "", file);
      if ("problem" in opening) return result(opening.problem, 1);
      opened = opening;
    }
  } catch (error) {
    const missing = systemCode(error) === "ENOENT";
    if (missing && (head?.seq ?? 0) === 0) {
      note = "Its process ended before the first record.";
      return result();
    }
    const reason = missing ? "was removed" : `cannot be read (${systemCode(error)})`;
    return result(`The file ${reason}; its head says that it holds ${head?.seq ?? 0} records.`, 1);
  }
  if (head === undefined) return result("No head lists this file: it was put here, or its head was removed.");
  const cut = check.end();
  const { seq: last } = check.position;
  let covered = head.seq;
  for (const seq of hashes.keys()) covered = Math.max(covered, seq);
  if (last > covered) behind = { covered, last, pid: opened.pid };
  return cut === null ? result() : result(cut.problem, cut.seq);
}

/** Files whose continuation is not there: the file before was removed together with its head, or cut below it. */
function checkContinuation(checked: CheckedFile, byFile: ReadonlyMap<string, CheckedFile>): AuditFileReport {
  const { report, continues } = checked;
  if (!report.ok || continues === null) return report;
  const before = byFile.get(continues.file);
  if (before?.hashes.get(continues.seq) === continues.hash) return report;
  // A file with a problem of its own says itself what is wrong.
  if (before !== undefined && !before.report.ok) return report;
  const problem = `It continues record ${continues.seq} of ${continues.file}.jsonl, which is not there any more.`;
  return { ...report, ok: false, problem, firstBadSeq: 1 };
}

/** Where other files go on from each file, the last place of it. */
function continuations(byFile: ReadonlyMap<string, CheckedFile>): ReadonlyMap<string, GoesOn> {
  const last = new Map<string, GoesOn>();
  for (const [file, { continues }] of byFile) {
    if (continues === null || (last.get(continues.file)?.seq ?? 0) >= continues.seq) continue;
    last.set(continues.file, { file, seq: continues.seq });
  }
  return last;
}

export interface VerifySettings {
  /** Heads that were kept elsewhere: what they name must still be there. */
  readonly kept?: readonly Head[];
  /** Every file must be covered by a head that this accepts. */
  readonly isSigned?: CheckSignature;
}

/**
 * Checks every file of the audit log in a state folder, its head, and that each continues the one it names. Finds
 * every change by somebody who cannot write the heads; works while other processes write. Rejects with `store_failed`
 * when the log cannot be read. A folder without a log is ok and has no records.
 */
export async function verifyAudit(folder: string, settings: VerifySettings = {}): Promise<AuditReport> {
  const { kept = [], isSigned } = settings;
  const paths = auditPaths(folder);
  // In this order: names, heads, records. What is added meanwhile is then newer than what it is compared with.
  const present = (await namesIn(paths.logs)).filter((name) => name.endsWith(".jsonl"));
  const { heads, bad } = await readHeads(paths.heads);
  const found = present.map((name) => name.slice(0, -".jsonl".length));
  const names = new Set([...heads.keys(), ...found, ...kept.map(({ file }) => file)]);
  const wanted = await continuedRecords(paths.logs, names);
  for (const { file, seq } of kept) wanted.set(file, (wanted.get(file) ?? new Set()).add(seq));
  const byFile = new Map<string, CheckedFile>();
  for (const file of [...names].sort()) {
    const path = join(paths.logs, `${file}.jsonl`);
    const named = wanted.get(file) ?? new Set<number>();
    byFile.set(file, await checkFile({ path, file, head: heads.get(file), named }));
  }
  const isBehind = [...byFile.values()].some(({ behind }) => behind !== null);
  const now = isBehind ? (await readHeads(paths.heads)).heads : heads;
  const goingOn = continuations(byFile);
  const reports = new Map<string, AuditFileReport>();
  for (const [file, checked] of byFile) {
    const continuation = checkContinuation(checked, byFile);
    const ofFile = kept.filter((head) => head.file === file);
    const report = checkKept(continuation, checked, ofFile);
    const ends = { now: now.get(file), goesOn: goingOn.get(file) };
    reports.set(file, withBehind(report, checked.behind, ends));
  }
  const signed =
    isSigned === undefined ? [...reports.values()] : checkSignatures(reports, byFile, heads, isSigned);
  const files = [...bad, ...signed];
  return {
    ok: files.every((file) => file.ok),
    files,
    records: files.reduce((sum, file) => sum + file.records, 0),
  };
}
