import type { AuditSink } from "../types/audit.ts";
import type { Journal } from "../types/journal.ts";
import type { CallOutcome, CallReply, ServerBlock } from "../types/outcome.ts";
import type { ResultLabels } from "../types/policy.ts";
import type { CallRecorder, Clock, RunRecorder, Secrets } from "../types/ports.ts";
import type { InputRecorder } from "../types/server-input.ts";
import type { CatalogTool } from "../types/tool.ts";
import { createInputRecorder } from "./asked.ts";
import { createDurableLog } from "./durable-log.ts";
import { createEntryWriter } from "./entries.ts";

export interface RecorderSettings {
  /** Null when the log is turned off. */
  readonly audit: AuditSink | null;
  /** Null when the run is not stored. */
  readonly journal: Journal | null;
  readonly secrets: Secrets;
  /** HMAC-SHA-256 in hex, under the key of the stores: stands for the whole of redacted arguments. */
  readonly keyedHash: (text: string) => string;
  readonly principal: string;
  readonly clock: Clock;
  /** Whether arguments and prompts are kept with secrets replaced, which is the default, or as their hash alone. */
  readonly arguments?: "redacted" | "hash" | undefined;
  /** The labels of what a tool gives back. Default: nothing is labelled. */
  readonly labelsOf?: (tool: CatalogTool) => ResultLabels | null;
  /** Turns of the conversation before this run. */
  readonly earlierTurns?: number;
}

/**
 * Writes what a run does to the audit log and the journal. Records are taken in order and gathered; whoever must not
 * go on without them waits: before each side effect, and at both ends of the run.
 */
export function createRecorder(settings: RecorderSettings): RunRecorder & CallRecorder & InputRecorder {
  const { audit, journal, clock, principal, earlierTurns = 0 } = settings;
  const log = createDurableLog(audit, journal, clock);
  const entry = createEntryWriter(settings);
  const labelsOf = (tool: CatalogTool): { readonly labels?: ResultLabels } => {
    const labels = settings.labelsOf?.(tool) ?? null;
    return labels === null ? {} : { labels };
  };
  const labelled = settings.labelsOf === undefined ? {} : ({ labelled: true } as const);
  const now = (): string => new Date(clock.wall()).toISOString();

  return {
    ...createInputRecorder(log, settings),
    started(run, model, system) {
      const name = `${model.api}/${model.name}`;
      return log.durably(
        { kind: "run_started", run, principal, model: name },
        { kind: "run_started", at: now(), run, model: name, system, ...labelled },
      );
    },
    denied: (verdict, context) => log.take(entry.denied(verdict, context), null),
    rejected: (call, runId, turn) => log.take(entry.rejected(call, { runId, turn }), null),
    returned: (mapped, runId, turn) => log.take(entry.returned(mapped, { runId, turn }), null),
    ended(run, stop, turns, usage) {
      return log.durably(
        { kind: "run_ended", run, stop: stop.type, turns },
        {
          kind: "run_ended",
          at: now(),
          run,
          stop: stop.type,
          turns,
          usage,
          totalTurns: earlierTurns + turns,
        },
      );
    },
    intended(approved, attempt, context) {
      const { id: call, tool } = approved.call;
      const { server, tool: name } = tool.route;
      const { definitionHash } = tool;
      return log.durably(entry.intended(approved, attempt, context), {
        kind: "call_intended",
        run: context.runId,
        call,
        server,
        tool: name,
        definitionHash,
        attempt,
      });
    },
    becameTask({ call }, task, context) {
      const { server, tool } = call.tool.route;
      log.take(null, { kind: "call_task", run: context.runId, call: call.id, server, tool, task });
    },
    settled(approved, outcome, attempt, context) {
      log.take(entry.settled(approved, outcome, attempt, context), {
        kind: "call_settled",
        run: context.runId,
        call: approved.call.id,
        outcome: withoutSecrets(outcome, settings.secrets),
        ...labelsOf(approved.call.tool),
      });
    },
  };
}

/** What goes back to the model has them replaced as well, so that nothing is lost to a conversation that goes on. */
function withoutSecrets(outcome: CallOutcome, { redact, redactJson }: Secrets): CallOutcome {
  if (outcome.type === "failed") return { ...outcome, message: redact(outcome.message) };
  const { content, structuredContent, ...rest } = outcome.reply;
  const reply: CallReply = {
    ...rest,
    content: content.map((block) => blockWithoutSecrets(block, redact)),
    ...(structuredContent === undefined ? {} : { structuredContent: redactJson(structuredContent) }),
    repairs: rest.repairs.map(redact),
  };
  return { ...outcome, reply };
}

/** Blocks are flat. A secret may be an ordinary word: the kind of a block stays what it is. */
function blockWithoutSecrets(block: ServerBlock, redact: Secrets["redact"]): ServerBlock {
  const members = Object.entries(block).map(([name, value]) => [
    name,
    typeof value === "string" && name !== "type" ? redact(value) : value,
  ]);
  return Object.fromEntries(members) as ServerBlock;
}
