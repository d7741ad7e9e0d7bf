import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Head, parseHeads } from "./audit-heads.ts";
import { auditPaths } from "./audit-opening.ts";
import type { CheckSignature } from "./audit-signature.ts";
import { readable } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import type { AuditFileReport, CheckedFile } from "./verify.ts";
import { isRunning } from "./verify-behind.ts";

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw storeError("store_failed", "The audit log cannot be read", folder, error);
  }
}

/** All heads by file, and a report for each heads file that cannot be read. */
export async function readHeads(
  folder: string,
): Promise<{ heads: Map<string, Head>; bad: AuditFileReport[] }> {
  const heads = new Map<string, Head>();
  const bad: AuditFileReport[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const read = () => readFile(path, { encoding: "utf8", flag: readable });
    let parsed = parseHeads(await read());
    // Another process may be writing its slot at this moment: a second look finds it whole.
    if (parsed.unreadable > 0) parsed = parseHeads(await read());
    for (const head of parsed.heads) heads.set(head.file, head);
    if (parsed.unreadable > 0) {
      const problem = `${parsed.unreadable} of its heads cannot be read: the file was changed.`;
      bad.push({ path, records: 0, ok: false, problem });
    }
  }
  return { heads, bad };
}

/** The heads of all files that have records, the oldest file first. Rejects with `store_failed`. */
export async function currentHeads(folder: string): Promise<readonly Head[]> {
  const { heads } = await readHeads(auditPaths(folder).heads);
  return [...heads.values()].filter(({ seq }) => seq > 0).sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Whether a file still holds the records that heads kept elsewhere name. */
export function checkKept(
  report: AuditFileReport,
  checked: CheckedFile,
  kept: readonly Head[],
): AuditFileReport {
  if (!report.ok) return report;
  const broken = kept.find(({ seq, hash }) => seq > 0 && checked.hashes.get(seq) !== hash);
  if (broken === undefined) return report;
  const { seq } = broken;
  const { note: _, ...rest } = report;
  const problem =
    seq > report.records
      ? `The kept head names record ${seq} of it, which is not there any more.`
      : `Record ${seq} is not the one that the kept head names: the file was written anew.`;
  return { ...rest, ok: false, problem, firstBadSeq: Math.min(seq, report.records + 1) };
}

/** How far the records of each file are covered by a signed head: of its own, or of a file that goes on from it. */
function coveredBySignatures(
  files: ReadonlyMap<string, CheckedFile>,
  heads: ReadonlyMap<string, Head>,
  isSigned: CheckSignature,
): ReadonlyMap<string, number> {
  const covered = new Map<string, number>();
  for (const [file, { report }] of files) {
    const head = heads.get(file);
    if (!report.ok || head === undefined || !isSigned(head)) continue;
    let reached = head.seq;
    // The first record names the one before it, and that one covers all before it.
    for (let name: string | undefined = file; name !== undefined; ) {
      const known: number | undefined = covered.get(name);
      covered.set(name, Math.max(known ?? 0, reached));
      const before: CheckedFile["continues"] =
        known === undefined ? (files.get(name)?.continues ?? null) : null;
      name = before?.file;
      reached = before?.seq ?? 0;
    }
  }
  return covered;
}

/** Reports with a problem for each file that no signature of the key covers. */
export function checkSignatures(
  reports: ReadonlyMap<string, AuditFileReport>,
  files: ReadonlyMap<string, CheckedFile>,
  heads: ReadonlyMap<string, Head>,
  isSigned: CheckSignature,
): readonly AuditFileReport[] {
  const covered = coveredBySignatures(files, heads, isSigned);
  return [...reports].map(([file, report]) => {
    const head = heads.get(file);
    const reached = covered.get(file) ?? 0;
    if (!report.ok || head === undefined) return report;
    if (reached >= head.seq) return isUnsigned(report, files.get(file), reached) ? unsigned(report) : report;
    const { note: _, ...rest } = report;
    const problem =
      head.sig === undefined
        ? "Its head is not signed, and no signed file goes on from it."
        : "The signature of its head is not that of this key.";
    return { ...rest, ok: false, problem };
  });
}

/**
 * Whether records stand behind what is signed that no running process will sign in a moment. Which process that is, is
 * only known where the file's first record is signed.
 */
function isUnsigned(
  { uncovered = 0 }: AuditFileReport,
  checked: CheckedFile | undefined,
  reached: number,
): boolean {
  return uncovered > 0 && (reached === 0 || !isRunning(checked?.behind?.pid ?? null));
}

function unsigned({ note: _, ...report }: AuditFileReport): AuditFileReport {
  const { records, uncovered = 0 } = report;
  const what = uncovered === 1 ? "Its last record is" : `Its last ${uncovered} records are`;
  const problem = `${what} behind its head, and no signature covers them: they were added or changed, or their process was killed as it wrote them.`;
  return { ...report, ok: false, problem, firstBadSeq: records - uncovered + 1 };
}
