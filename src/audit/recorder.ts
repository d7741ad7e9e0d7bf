import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal } from "../types/journal.ts";
import type { CallRecorder, Clock, RunRecorder, Secrets } from "../types/ports.ts";
import { createDurableLog } from "./durable-log.ts";
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
 * Writes what a run does to the audit log and the journal. Records are taken in order and gathered; whoever must not
 * go on without them waits: before each side effect, and at both ends of the run.
 */
export function createRecorder(settings: RecorderSettings): RunRecorder & CallRecorder {
  const { audit, journal, clock, principal } = settings;
  const log = createDurableLog(audit, journal, clock);
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

  const toAudit = (make: (entry: EntryWriter) => AuditEntry): void => {
    if (audit !== null) log.toAudit(entries().then(make));
  };
  const now = (): string => new Date(clock.wall()).toISOString();

  return {
    started(run, model, system) {
      const name = `${model.api}/${model.name}`;
      toAudit(() => ({ kind: "run_started", run, principal, model: name }));
      log.toJournal({ kind: "run_started", at: now(), run, model: name, system });
      return log.durable();
    },
    denied: (verdict, context) => toAudit((entry) => entry.denied(verdict, context)),
    rejected: (call, runId, turn) => toAudit((entry) => entry.rejected(call, { runId, turn })),
    returned: (mapped, runId, turn) => toAudit((entry) => entry.returned(mapped, { runId, turn })),
    ended(run, stop, turns, usage) {
      toAudit(() => ({ kind: "run_ended", run, stop: stop.type, turns }));
      log.toJournal({ kind: "run_ended", at: now(), run, stop: stop.type, turns, usage });
      return log.durable();
    },
    intended(approved, attempt, context) {
      const { id: call, tool } = approved.call;
      const { server, tool: name } = tool.route;
      const { definitionHash } = tool;
      toAudit((entry) => entry.intended(approved, attempt, context));
      log.toJournal({
        kind: "call_intended",
        run: context.runId,
        call,
        server,
        tool: name,
        definitionHash,
        attempt,
      });
      return log.durable();
    },
    settled(approved, outcome, attempt, context) {
      toAudit((entry) => entry.settled(approved, outcome, attempt, context));
      log.toJournal({ kind: "call_settled", run: context.runId, call: approved.call.id, outcome });
    },
  };
}
