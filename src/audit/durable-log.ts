import { HostError } from "../errors.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";

/** A log that answers no more must not hold a run for ever. */
const writeLimitMs = 30_000;

/** The audit log and the journal of a run, written side by side, either of which may be missing. */
export interface DurableLog {
  /** Takes an entry; entries are written in the order of these calls. */
  toAudit(entry: Promise<AuditEntry>): void;
  toJournal(record: JournalRecord): void;
  /**
   * Resolves once everything taken so far is durable. Rejects with `audit_failed`, else with `store_failed`; what was
   * to follow must not happen then.
   */
  durable(): Promise<void>;
}

export function createDurableLog(audit: AuditSink | null, journal: Journal | null, clock: Clock): DurableLog {
  let auditing: Promise<void>[] = [];
  let storing: Promise<void>[] = [];
  let last: Promise<unknown> = Promise.resolve();

  return {
    toAudit(entry) {
      if (audit === null) return;
      const before = last;
      const writing = before.then(() => entry).then((made) => ({ appended: audit.append(made) }));
      // The next entry waits for this one to be handed over, not for it to be durable.
      last = writing.catch(() => {});
      auditing.push(handled(writing.then(({ appended }) => appended)));
    },
    toJournal(record) {
      if (journal !== null) storing.push(handled(journal.append(record)));
    },
    async durable() {
      const [audited, stored] = [auditing, storing];
      auditing = [];
      storing = [];
      const flushed = last.then(() => audit?.flush?.());
      const all = [Promise.all([...audited, flushed]), Promise.all([...stored, journal?.flush?.()])];
      const [auditEnd, storeEnd] = await Promise.allSettled(all.map((end) => within(end, clock)));
      if (auditEnd?.status === "rejected") throw auditFailed(auditEnd.reason);
      if (storeEnd?.status === "rejected") throw storeFailed(storeEnd.reason);
    },
  };
}

/** Its rejection is told to whoever waits for it, and is no accident when nobody does yet. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

function within(work: Promise<unknown>, clock: Clock): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${writeLimitMs / 1000} s`));
    const cancel = clock.after(writeLimitMs, late);
    work.then(resolve, reject).finally(cancel);
  });
}

function sentence(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function auditFailed(cause: unknown): HostError {
  if (cause instanceof HostError && cause.code === "audit_failed") return cause;
  return new HostError(
    "audit_failed",
    `The audit log cannot be written, so nothing runs: ${sentence(cause)}. Repair the log's place, or turn the log off.`,
    { cause },
  );
}

function storeFailed(cause: unknown): HostError {
  if (cause instanceof HostError && cause.code === "store_failed") return cause;
  return new HostError(
    "store_failed",
    `The run cannot be stored: ${sentence(cause)}. Repair the state folder, or run without storing.`,
    { cause },
  );
}
