import { HostError } from "../errors.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { CallRecorder, Clock, RunRecorder, Secrets } from "../types/ports.ts";
import { createEntryWriter, type EntryWriter } from "./entries.ts";

/** A log that answers no more must not hold a run for ever. */
const writeLimitMs = 30_000;

export interface RecorderSettings {
  /** Null when the log is turned off. */
  readonly audit: AuditSink | null;
  /** Null when the run is not stored. */
  readonly journal: Journal | null;
  readonly secrets: Secrets;
  /** Key of the hashes that stand beside redacted arguments; asked for once, with the first entry. */
  readonly hashKey: () => Promise<Uint8Array>;
  readonly principal: string;
  readonly clock: Clock;
}

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

/**
 * Writes what a run does to the audit log and the journal, at the same time. Every promise resolves once all of it is
 * durable. Rejects with `audit_failed` when the audit log cannot be written, else with `store_failed` when the journal
 * cannot; what was announced must not run then.
 */
export function createRecorder(settings: RecorderSettings): RunRecorder & CallRecorder {
  const { audit, journal, clock, principal } = settings;
  let writer: Promise<EntryWriter> | null = null;

  function entries(): Promise<EntryWriter> {
    writer ??= settings.hashKey().then(
      (key) => createEntryWriter(settings.secrets, key),
      (error: unknown) => {
        writer = null;
        throw error;
      },
    );
    return writer;
  }

  async function toAudit(make: (entry: EntryWriter) => AuditEntry): Promise<void> {
    if (audit === null) return;
    const write = async (): Promise<void> => audit.append(make(await entries()));
    try {
      await within(write(), clock, () => auditFailed(`no answer within ${writeLimitMs / 1000} s`));
    } catch (error) {
      throw auditFailed(error);
    }
  }

  async function toJournal(record: JournalRecord): Promise<void> {
    if (journal === null) return;
    const write = async (): Promise<void> => journal.append(record);
    try {
      await within(write(), clock, () => storeFailed(`no answer within ${writeLimitMs / 1000} s`));
    } catch (error) {
      throw storeFailed(error);
    }
  }

  /** Waits for both, so that nothing is left in flight, and names the audit log's failure first. */
  async function both(audited: Promise<void>, stored: Promise<void>): Promise<void> {
    for (const end of await Promise.allSettled([audited, stored])) {
      if (end.status === "rejected") throw end.reason;
    }
  }

  const now = (): string => new Date(clock.wall()).toISOString();

  return {
    started(run, model, system) {
      const name = `${model.api}/${model.name}`;
      return both(
        toAudit(() => ({ kind: "run_started", run, principal, model: name })),
        toJournal({ kind: "run_started", at: now(), run, model: name, system }),
      );
    },
    denied: (verdict, context) => toAudit((entry) => entry.denied(verdict, context)),
    rejected: (call, runId, turn) => toAudit((entry) => entry.rejected(call, { runId, turn })),
    returned: (mapped, runId, turn) => toAudit((entry) => entry.returned(mapped, { runId, turn })),
    ended(run, stop, turns, usage) {
      return both(
        toAudit(() => ({ kind: "run_ended", run, stop: stop.type, turns })),
        toJournal({ kind: "run_ended", at: now(), run, stop: stop.type, turns, usage }),
      );
    },
    intended(approved, attempt, context) {
      const { id: call, tool } = approved.call;
      return both(
        toAudit((entry) => entry.intended(approved, attempt, context)),
        toJournal({
          kind: "call_intended",
          run: context.runId,
          call,
          server: tool.route.server,
          tool: tool.route.tool,
          definitionHash: tool.definitionHash,
          attempt,
        }),
      );
    },
    settled(approved, outcome, attempt, context) {
      return both(
        toAudit((entry) => entry.settled(approved, outcome, attempt, context)),
        toJournal({ kind: "call_settled", run: context.runId, call: approved.call.id, outcome }),
      );
    },
  };
}
