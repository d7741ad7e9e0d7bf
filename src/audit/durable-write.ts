import { HostError } from "../errors.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";

/** A log that answers no more must not hold a run for ever. */
const writeLimitMs = 30_000;

/** Settles like `work`, or rejects with `late()` when the time is over. */
function within(work: Promise<void>, clock: Clock, late: () => HostError): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(writeLimitMs, () => reject(late()));
    const settle = (end: () => void) => {
      cancel();
      end();
    };
    work.then(
      () => settle(resolve),
      (error: unknown) => settle(() => reject(error)),
    );
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

/** Appends to the audit log, if there is one. Rejects with `audit_failed`, also when `make` fails. */
export async function writeAudit(
  audit: AuditSink | null,
  clock: Clock,
  make: () => Promise<AuditEntry>,
): Promise<void> {
  if (audit === null) return;
  const write = async (): Promise<void> => audit.append(await make());
  try {
    await within(write(), clock, () => auditFailed(`no answer within ${writeLimitMs / 1000} s`));
  } catch (error) {
    throw auditFailed(error);
  }
}

/** Appends to the journal, if there is one. Rejects with `store_failed`. */
export async function writeJournal(
  journal: Journal | null,
  clock: Clock,
  record: JournalRecord,
): Promise<void> {
  if (journal === null) return;
  const write = async (): Promise<void> => journal.append(record);
  try {
    await within(write(), clock, () => storeFailed(`no answer within ${writeLimitMs / 1000} s`));
  } catch (error) {
    throw storeFailed(error);
  }
}

/** Waits for both, so that nothing is left in flight, and names the audit log's failure first. */
export async function both(audited: Promise<void>, stored: Promise<void>): Promise<void> {
  for (const end of await Promise.allSettled([audited, stored])) {
    if (end.status === "rejected") throw end.reason;
  }
}
