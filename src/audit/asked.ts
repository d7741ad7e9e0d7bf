import type { AuditEntry } from "../types/audit.ts";
import type { Json } from "../types/json.ts";
import type { ExecutionContext } from "../types/ports.ts";
import type { AskedBy, InputRecorder, SamplingAsked } from "../types/server-input.ts";
import type { DurableLog } from "./durable-log.ts";
import type { EntrySettings } from "./entries.ts";
import { createKeptText } from "./kept-text.ts";

/** Where and for whom a server asked. */
function placeOf({ server, calls }: AskedBy, { runId, turn }: ExecutionContext) {
  return { run: runId, turn, server, calls: calls.map(({ callId }) => callId) };
}

/**
 * Records of what servers asked and what they got. What a person typed is not kept: its fields are named, and a keyed
 * hash stands for the values.
 */
export function createInputRecorder(log: DurableLog, settings: EntrySettings): InputRecorder {
  const { secrets, keyedHash, arguments: kept = "redacted" } = settings;
  const { short, json } = createKeptText(secrets);

  return {
    asked(elicitation, asked, by, context) {
      const { calls, ...place } = placeOf(by, context);
      const message = short(asked.message);
      const what =
        asked.mode === "form"
          ? { mode: asked.mode, fields: asked.fields.map(({ name }) => short(name)) }
          : { mode: asked.mode, url: short(asked.url) };
      const entry: AuditEntry = { kind: "elicitation_asked", ...place, calls, elicitation, message, ...what };
      const [call = ""] = calls;
      log.take(entry, { kind: "call_waiting", run: context.runId, call, elicitation, message });
    },
    answered(elicitation, answer, { waitedMs, reason }, by, context) {
      const { calls, ...place } = placeOf(by, context);
      const [call = ""] = calls;
      const content = answer.action === "accept" ? answer.content : undefined;
      const given = content === undefined ? {} : givenOf(content, keyedHash);
      return log.durably(
        {
          kind: "elicitation_answered",
          ...place,
          elicitation,
          action: answer.action,
          ...(reason === undefined ? {} : { reason: short(reason) }),
          ...given,
          waitedMs,
        },
        { kind: "call_resumed", run: context.runId, call, elicitation },
      );
    },
    samplingDecided(sampling, asked, verdict, by, context) {
      const { decision } = verdict.type === "approved" ? verdict.approved : verdict;
      const prompt = { system: asked.system, messages: asked.messages as unknown as Json };
      return log.durably(
        {
          kind: "sampling_decided",
          ...placeOf(by, context),
          sampling,
          decision: decision.type,
          by: decision.by,
          reason: short(decision.reason),
          waitedMs: decision.waitedMs,
          maxTokens: asked.maxTokens,
          prompt: kept === "hash" ? null : json(shownPrompt(asked)),
          promptHash: keyedHash(JSON.stringify(prompt)),
        },
        null,
      );
    },
    samplingAnswered(sampling, { model, code, usage, ms }, by, context) {
      const { calls: _, ...place } = placeOf(by, context);
      const { inputTokens, outputTokens } = usage;
      const outcome = code === undefined ? "answered" : "failed";
      const failure = code === undefined ? {} : { code };
      const ended = { sampling, model, outcome, ...failure, inputTokens, outputTokens, ms } as const;
      log.take({ kind: "sampling_answered", ...place, ...ended }, null);
    },
  };
}

function givenOf(content: Readonly<Record<string, Json>>, keyedHash: (text: string) => string) {
  return { fields: Object.keys(content), contentHash: keyedHash(JSON.stringify(content)) };
}

/** Pictures are named by their size: the hash stands for all of them. */
function shownPrompt({ system, messages }: SamplingAsked): Json {
  const shown = messages.map(({ role, content }) => ({
    role,
    content: content.map((block) =>
      block.type === "text"
        ? block
        : { type: block.type, mimeType: block.mimeType, characters: block.data.length },
    ),
  }));
  return { system, messages: shown };
}
