import type { Head } from "./audit-heads.ts";
import { systemCode } from "./store-error.ts";
import type { AuditFileReport } from "./verify.ts";

/** Records at the end of a file that no head, and no file that goes on from it, names or goes beyond. */
export interface Behind {
  /** Its newest record that one does. */
  readonly covered: number;
  readonly last: number;
  /** The process that says it wrote the file. */
  readonly pid: number | null;
}

/** The last record of a file that another goes on from. */
export interface GoesOn {
  readonly seq: number;
  /** The other file. */
  readonly file: string;
}

interface BehindSettings {
  /** The head as it is after the records were read. */
  readonly now: Head | undefined;
  readonly goesOn: GoesOn | undefined;
}

/**
 * What the records behind its head mean for a file. A process that runs notes them a moment later, and one that was killed
 * never does. Where another file goes on from its head, its process had come to rest there: what stands behind is no
 * more of it, unless that process still runs.
 */
export function withBehind(
  report: AuditFileReport,
  behind: Behind | null,
  { now, goesOn }: BehindSettings,
): AuditFileReport {
  if (!report.ok || behind === null) return report;
  const noted = now?.seq ?? 0;
  const uncovered = behind.last - Math.max(behind.covered, noted);
  if (uncovered <= 0) return report;
  const records = uncovered === 1 ? "One record stands" : `${uncovered} records stand`;
  if (goesOn !== undefined && goesOn.seq >= noted && !isRunning(behind.pid)) {
    const { note: _, ...rest } = report;
    const problem = `${records} behind record ${goesOn.seq}, from which ${goesOn.file}.jsonl goes on, and no head covers them: they were added, or writing them failed.`;
    return { ...rest, ok: false, problem, firstBadSeq: goesOn.seq + 1, uncovered };
  }
  const note = `${records} behind its head: its process was writing, or ended before it noted them, or they were added.`;
  return { ...report, note: [report.note, note].filter(Boolean).join(" "), uncovered };
}

/** Whether there is a process of that number: perhaps another than the one that wrote. */
export function isRunning(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
