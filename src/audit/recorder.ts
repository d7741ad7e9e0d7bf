import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { CallRecorder, Clock, RunRecorder, Secrets } from "../types/ports.ts";
import { both, writeAudit, writeJournal } from "./durable-write.ts";
import { createEntryWriter, type EntryWriter } from "./entries.ts";

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

  const toAudit = (make: (entry: EntryWriter) => AuditEntry): Promise<void> =>
    writeAudit(audit, clock, async () => make(await entries()));
  const toJournal = (record: JournalRecord): Promise<void> => writeJournal(journal, clock, record);
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
