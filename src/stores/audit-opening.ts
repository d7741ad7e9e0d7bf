import { join } from "node:path";
import type { Clock } from "../types/ports.ts";
import { sha256Hex } from "../util/hash.ts";
import { type ChainPosition, chainLine, noHash } from "../util/hash-chain.ts";
import { randomId } from "../util/random-id.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { addHeadSlot, type Head, type SignHead } from "./audit-heads.ts";
import { type FollowedLog, followLog } from "./audit-tail.ts";
import { nativeHash } from "./native-hash.ts";
import { ensureFolder, syncFolder } from "./private-file.ts";
import { storeError } from "./store-error.ts";

/** Folders and names of the audit log under a state folder. */
export interface AuditPaths {
  readonly logs: string;
  readonly heads: string;
}

export function auditPaths(folder: string): AuditPaths {
  return { logs: join(folder, "audit"), heads: join(folder, "audit", "heads") };
}

/** The heads file of a principal: principals may hold any characters, so the name is a hash. */
function headsPath(folder: string, principal: string): string {
  return join(auditPaths(folder).heads, `${sha256Hex(principal).slice(0, 32)}.jsonl`);
}

/** `20261130T083300Z` */
function fileStamp(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, "");
}

export interface LogToOpen {
  readonly folder: string;
  readonly principal: string;
  readonly clock: Clock;
  readonly sign: SignHead;
  /** The file of this process that the new one goes on from. Default: the principal's newest head. */
  readonly after: (ChainPosition & { readonly file: string }) | null;
  /** Entries that could not be written since the last file, and why. */
  readonly lost: { readonly entries: number; readonly reason: string } | null;
  /** Told that the file before is not as it was written. */
  readonly onProblem: (sentence: string) => void;
}

/** One file of the log, open for appending. */
export interface OpenLog {
  readonly name: string;
  readonly file: AppendFile;
  position: ChainPosition;
  /** Length of what was appended, in UTF-16 units. */
  length: number;
  close(): Promise<void>;
}

/** The file to go on from: this process's own, which is known to be whole, or the newest that has a head. */
async function followed({ folder, after }: LogToOpen, previous: Head | null): Promise<FollowedLog | null> {
  if (after !== null) return { file: after.file, position: after, problem: null };
  return previous && followLog(join(auditPaths(folder).logs, `${previous.file}.jsonl`), previous);
}

/** The first record: who writes, which file it goes on from, and what was wrong before. */
function openingRecord(
  { clock, principal, lost }: LogToOpen,
  name: string,
  before: FollowedLog | null,
): object {
  const found = before?.problem;
  return {
    at: new Date(clock.wall()).toISOString(),
    mono: clock.now(),
    kind: "log_opened",
    file: name,
    principal,
    pid: process.pid,
    follows: before && { file: before.file, seq: before.position.seq },
    ...(found && before
      ? { found: { file: before.file, firstBadSeq: found.seq, problem: found.problem } }
      : {}),
    ...(lost === null ? {} : { lost }),
  };
}

/** Makes the next file of the log. Rejects with what the system says. */
export async function openLog(opening: LogToOpen): Promise<OpenLog> {
  const { folder, principal, clock, sign, onProblem } = opening;
  const paths = auditPaths(folder);
  const name = randomId(fileStamp(clock.wall()), 8);
  ensureFolder(paths.heads);
  const slot = await addHeadSlot(headsPath(folder, principal), name, sign);
  const path = join(paths.logs, `${name}.jsonl`);
  try {
    const before = await followed(opening, slot.previous);
    const first = { seq: 0, hash: before?.position.hash ?? noHash };
    const opened = chainLine(first, openingRecord(opening, name, before), nativeHash);
    const file = openAppendFile({
      path,
      open: "new",
      firstLine: opened.line,
      fail: (cause) => storeError("audit_failed", "The audit log cannot be written", path, cause),
      // Numbers start at 1 in every file and nothing else writes to it, so the count of lines is the last number.
      onFlushed: (lastLine, seq) => slot.update({ seq, hash: lastLine.slice(-66, -2) }),
    });
    syncFolder(paths.heads);
    syncFolder(paths.logs);
    if (before?.problem) onProblem(problemText(paths, before.file, before.problem));
    const close = async (): Promise<void> => {
      await file.close();
      slot.close();
    };
    return { name, file, position: opened.position, length: opened.line.length, close };
  } catch (error) {
    slot.close();
    throw error;
  }
}

function problemText(
  { logs }: AuditPaths,
  file: string,
  { seq, problem }: { readonly seq: number; readonly problem: string },
): string {
  const path = join(logs, `${file}.jsonl`);
  return `The audit log ${path} is not as it was written, from record ${seq} on: ${problem} It is left as it is and a new file was begun; drawbridge audit verify checks the whole log.`;
}
