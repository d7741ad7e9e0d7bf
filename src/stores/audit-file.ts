import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Clock } from "../types/ports.ts";
import type { AuditFileSettings } from "../types/stores.ts";
import { chainLine } from "../util/hash-chain.ts";
import type { SignHead } from "./audit-heads.ts";
import { auditPaths, type LogToOpen, type OpenLog, openLog } from "./audit-opening.ts";
import { headSigner } from "./audit-signature.ts";
import { nativeHash } from "./native-hash.ts";
import { storeError } from "./store-error.ts";

/** A sink that its stores close. */
export interface AuditFile extends AuditSink {
  readonly location: string;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A file of the log that has grown this long is followed by a new one. */
const usualRotateBytes = 64 * 1024 * 1024;
/** A place that could not be written is tried again after this long, ms: each try leaves a head behind. */
const retryMs = 1_000;

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The log of a principal in this process. */
interface AuditLog {
  readonly folder: string;
  readonly principal: string;
  readonly clock: Clock;
  readonly settings: AuditFileSettings;
  readonly rotateBytes: number;
  sign: SignHead | undefined;
  open: OpenLog | null;
  /** Why the open file is written no more. */
  failure: unknown;
  failedAt: number;
  /** Entries that were refused since then. */
  lost: number;
  opening: Promise<void> | null;
  /** What came while a file is being opened, in order. */
  queue: Waiting[];
  closed: boolean;
}

/**
 * The audit log of one principal in this process: a file of its own, made with the first entry, chained to the
 * principal's newest head and followed by another when it is long enough. `append` rejects with `audit_failed`; after
 * a failure a new file is tried with a later entry, and says in its first record how many were lost.
 */
export function createAuditFile(
  folder: string,
  principal: string,
  clock: Clock,
  settings: AuditFileSettings = {},
): AuditFile {
  const { logs } = auditPaths(folder);
  const { rotateBytes = usualRotateBytes } = settings;
  const log: AuditLog = {
    ...{ folder, principal, clock, settings, rotateBytes },
    sign: undefined,
    open: null,
    failure: null,
    failedAt: Number.NEGATIVE_INFINITY,
    lost: 0,
    opening: null,
    queue: [],
    closed: false,
  };
  return {
    location: logs,
    append(entry) {
      if (log.closed) {
        const cause = new Error("it is closed");
        return Promise.reject(storeError("audit_failed", "The audit log is not written", logs, cause));
      }
      const { open } = log;
      if (open !== null && isUsable(log, open)) return write(log, open, entry);
      return waitForFile(log, entry);
    },
    flush: () => (log.opening === null ? (log.open?.file.flush() ?? Promise.resolve()) : flushOpening(log)),
    async close() {
      log.closed = true;
      await log.opening;
      await log.open?.close();
    },
  };
}

function isUsable(log: AuditLog, open: OpenLog): boolean {
  return log.opening === null && log.failure === null && open.length < log.rotateBytes;
}

async function flushOpening(log: AuditLog): Promise<void> {
  await log.opening;
  await log.open?.file.flush();
}

function write(log: AuditLog, open: OpenLog, entry: AuditEntry): Promise<void> {
  const at = new Date(log.clock.wall()).toISOString();
  const { line, position } = chainLine(open.position, { at, mono: log.clock.now(), ...entry }, nativeHash);
  open.position = position;
  open.length += line.length;
  const written = open.file.append(line);
  written.catch((error: unknown) => {
    if (log.open === open) noteFailure(log, error);
    log.lost += 1;
  });
  return written;
}

function noteFailure(log: AuditLog, error: unknown): void {
  if (log.failure === null) log.failedAt = log.clock.now();
  log.failure = error;
}

function waitForFile(log: AuditLog, entry: AuditEntry): Promise<void> {
  if (log.opening === null && log.failure !== null && log.clock.now() - log.failedAt < retryMs) {
    log.lost += 1;
    return Promise.reject(log.failure);
  }
  return new Promise((resolve, reject) => {
    log.queue.push({ entry, resolve, reject });
    log.opening ??= openNext(log).finally(() => {
      log.opening = null;
    });
  });
}

/** Opens the next file and writes what waits for it. Never rejects. */
async function openNext(log: AuditLog): Promise<void> {
  try {
    const after = await leave(log);
    log.open = await openLog(toOpen(log, after));
    log.failure = null;
    log.lost = 0;
  } catch (error) {
    const failure = storeError(
      "audit_failed",
      "The audit log cannot be opened",
      auditPaths(log.folder).logs,
      error,
    );
    log.failure = failure;
    log.failedAt = log.clock.now();
    log.lost += log.queue.length;
    for (const { reject } of log.queue.splice(0)) reject(failure);
    return;
  }
  const { open } = log;
  for (const { entry, resolve, reject } of log.queue.splice(0)) write(log, open, entry).then(resolve, reject);
}

/** Closes the file that is full or failed. What the new one goes on from; null after a failure. */
async function leave(log: AuditLog): Promise<LogToOpen["after"]> {
  const { open } = log;
  if (open === null) return null;
  log.open = null;
  const failed = log.failure !== null;
  // Whatever waits to be written is on the disk after this, or has failed.
  await open.file.flush().catch((error: unknown) => noteFailure(log, error));
  await open.close();
  return failed || log.failure !== null ? null : { file: open.name, ...open.position };
}

function toOpen(log: AuditLog, after: LogToOpen["after"]): LogToOpen {
  const { folder, principal, clock, settings, lost, failure } = log;
  const { sign: keyFile, onProblem = () => {} } = settings;
  // Read once: a key that is taken away in the middle of a run does not stop it.
  log.sign ??= keyFile === undefined ? null : headSigner(keyFile);
  const reason = failure instanceof Error ? failure.message : String(failure);
  return {
    ...{ folder, principal, clock, sign: log.sign, after, onProblem },
    lost: failure === null ? null : { entries: lost, reason },
  };
}
