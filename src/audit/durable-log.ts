import { HostError, messageOf } from "../errors.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";
import { createPatience } from "./patience.ts";

/** A log that answers no more must not hold a run for ever. */
const writeLimitMs = 30_000;

/** The audit log and the journal of a run, written side by side, either of which may be missing. */
export interface DurableLog {
  /** Takes records in order. They are durable before anything that is taken later is. */
  take(entry: AuditEntry | null, record: JournalRecord | null): void;
  /**
   * Takes records and resolves once they, and everything before them, are durable. Rejects with `audit_failed`, else
   * with `store_failed`; what was to follow must not happen then.
   */
  durably(entry: AuditEntry, record: JournalRecord | null): Promise<void>;
}

export function createDurableLog(audit: AuditSink | null, journal: Journal | null, clock: Clock): DurableLog {
  const wait = createPatience(clock, writeLimitMs, () =>
    auditFailed(new Error(`no answer within ${writeLimitMs / 1000} s`)),
  );
  return {
    take(entry, record) {
      // A log that fails says so again to whoever waits for a later record.
      if (entry !== null) audit?.append(entry).catch(() => {});
      if (record !== null) journal?.append(record).catch(() => {});
    },
    durably(entry, record) {
      const audited = audit?.append(entry);
      const stored = record === null ? undefined : journal?.append(record);
      audit?.flush?.().catch(() => {});
      journal?.flush?.().catch(() => {});
      return wait(bothDurable(audited, stored));
    },
  };
}

/** The audit log's failure comes first: it says that nothing may run. */
async function bothDurable(audited?: Promise<void>, stored?: Promise<void>): Promise<void> {
  const storing = stored?.catch((cause: unknown) => {
    throw storeFailed(cause);
  });
  storing?.catch(() => {});
  await audited?.catch((cause: unknown) => {
    throw auditFailed(cause);
  });
  await storing;
}

function auditFailed(cause: unknown): HostError {
  if (cause instanceof HostError && cause.code === "audit_failed") return cause;
  return new HostError(
    "audit_failed",
    `The audit log cannot be written, so nothing runs: ${messageOf(cause)}. Repair the log's place, or turn the log off.`,
    { cause },
  );
}

function storeFailed(cause: unknown): HostError {
  if (cause instanceof HostError && cause.code === "store_failed") return cause;
  return new HostError(
    "store_failed",
    `The run cannot be stored: ${messageOf(cause)}. Repair the state folder, or run without storing.`,
    { cause },
  );
}
