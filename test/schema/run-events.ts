import type { RunEvent } from "../../src/types/events.ts";
import {
  amount,
  anyOf,
  errorCode,
  flag,
  jsonObject,
  list,
  literal,
  nullable,
  number,
  object,
  oneWord,
  type Same,
  type Typed,
  text,
} from "./schema-type.ts";

const error = object({ code: errorCode, message: text });
const route = { server: text, tool: text };
const quarantined = object({ ...route, reason: text });
const usage = object(
  {
    requests: amount,
    inputTokens: amount,
    outputTokens: amount,
    cacheReadTokens: amount,
    cacheWriteTokens: amount,
  },
  { reasoningTokens: amount },
);

const cost = object({ usd: number, unpriced: amount });

const textBlock = object({ type: literal("text"), text });
const imageBlock = object({
  type: literal("image"),
  mediaType: oneWord("image/png", "image/jpeg", "image/gif", "image/webp"),
  data: text,
});
const thinkingBlock = object({ type: literal("thinking"), text });
const callBlock = object({ type: literal("tool_call"), id: text, name: text, input: text });
const resultBlock = object({
  type: literal("tool_result"),
  callId: text,
  content: list(anyOf(textBlock, imageBlock)),
  isError: flag,
});
const assistantMessage = object(
  { role: literal("assistant"), content: list(anyOf(textBlock, thinkingBlock, callBlock)) },
  { native: object({ api: text, model: text, json: text }) },
);
const userMessage = object({
  role: literal("user"),
  content: list(anyOf(textBlock, imageBlock, resultBlock)),
});

const stopReason = oneWord(
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "refusal",
  "context_window_exceeded",
  "other",
);

const stop = anyOf(
  object({ type: literal("answered") }),
  object({ type: literal("turn_limit"), limit: number }),
  object({
    type: literal("budget"),
    budget: oneWord("calls", "tokens", "cost", "time"),
    limit: number,
  }),
  object({ type: literal("loop_detected"), turns: number }),
  object({ type: literal("aborted") }),
  object({ type: literal("refused"), explanation: text }),
  object({ type: literal("truncated") }),
  object({ type: literal("failed"), error }),
);

const result = object(
  {
    runId: text,
    stop,
    text,
    message: nullable(assistantMessage),
    messages: list(anyOf(userMessage, assistantMessage)),
    turns: amount,
    calls: amount,
    unasked: amount,
    usage,
    ms: number,
  },
  { cost },
);

const decisionSource = anyOf(
  object({ type: literal("rule"), tier: oneWord("administrator", "user", "project"), rule: text }),
  object({ type: literal("hint"), hint: oneWord("readOnlyHint", "destructiveHint") }),
  object({ type: literal("grant"), id: text }, { scope: oneWord("conversation", "always") }),
  object({ type: literal("person"), principal: text }),
  object({ type: literal("builtin") }),
  object({ type: literal("direct") }),
  object({ type: literal("flow"), flow: text }),
  object({ type: literal("default") }),
);

const status = { type: literal("server_status"), server: text };
const ofTurn = { turn: amount };
const ofCall = { turn: amount, callId: text };

const events = anyOf(
  object({
    type: literal("run_started"),
    version: literal(1),
    runId: text,
    model: text,
    offline: flag,
  }),
  object({ ...status, state: literal("starting") }),
  object({
    ...status,
    state: literal("ready"),
    era: oneWord("modern", "legacy"),
    protocolVersion: text,
    ms: number,
    tools: amount,
  }),
  object(
    { ...status, state: literal("failed"), error, required: flag },
    { exitCode: number, exitSignal: text, restartInMs: number },
  ),
  object(
    { type: literal("catalog_ready"), tools: amount, quarantined: list(quarantined) },
    {
      behindSearch: object({ tools: amount, reason: text }),
      warnings: list(object({ server: text, reason: text }, { tool: text })),
    },
  ),
  object(
    {
      type: literal("tools_changed"),
      added: list(object(route)),
      removed: list(object(route)),
      changed: list(object(route)),
    },
    { since: text },
  ),
  object({ type: literal("turn_started"), ...ofTurn }),
  object({ type: literal("text_delta"), ...ofTurn, text }),
  object({ type: literal("thinking_delta"), ...ofTurn, text }),
  object({ type: literal("tool_input_delta"), ...ofCall, alias: text, json: text }),
  object({ type: literal("turn_revoked"), ...ofTurn, attempt: amount, reason: text, retryInMs: number }),
  object(
    { type: literal("message_completed"), ...ofTurn, message: assistantMessage, stopReason, usage },
    { cost },
  ),
  object({ type: literal("model_fallback"), ...ofTurn, from: text, to: text, reason: text }),
  object({
    type: literal("context_compacted"),
    ...ofTurn,
    results: amount,
    before: amount,
    after: amount,
  }),
  object({ type: literal("call_proposed"), ...ofCall, alias: text, arguments: jsonObject, ...route }),
  object({ type: literal("call_rejected"), ...ofCall, alias: text, error }),
  object({ type: literal("approval_requested"), ...ofTurn, callIds: list(text) }),
  object(
    {
      type: literal("call_decided"),
      ...ofCall,
      decision: oneWord("allow", "deny"),
      by: decisionSource,
      reason: text,
      warnings: list(text),
      unasked: flag,
    },
    { suggestedRule: text },
  ),
  object({ type: literal("call_started"), ...ofCall, attempt: amount }),
  object({ type: literal("call_progress"), ...ofCall, progress: number }, { total: number, text }),
  object(
    { type: literal("call_completed"), ...ofCall, isError: flag, ms: number, attempts: amount },
    { error, labels: object({ trusted: flag, openWorld: flag, private: flag }) },
  ),
  object({
    type: literal("results_returned"),
    ...ofTurn,
    results: list(object({ callId: text, isError: flag, bytes: amount, cutBytes: amount })),
  }),
  object({ type: literal("warning"), code: text, text }),
  object({
    type: literal("elicitation_requested"),
    ...ofTurn,
    elicitationId: text,
    server: text,
    callIds: list(text),
    mode: oneWord("form", "url"),
    message: text,
  }),
  object({
    type: literal("elicitation_answered"),
    ...ofTurn,
    elicitationId: text,
    server: text,
    action: oneWord("accept", "decline", "cancel"),
    waitedMs: number,
  }),
  object({
    type: literal("sampling_requested"),
    ...ofTurn,
    samplingId: text,
    server: text,
    callIds: list(text),
    messages: amount,
    maxTokens: amount,
  }),
  object(
    {
      type: literal("sampling_answered"),
      ...ofTurn,
      samplingId: text,
      server: text,
      outcome: oneWord("answered", "denied", "failed"),
    },
    { reason: text, usage, cost },
  ),
  object(
    {
      type: literal("server_log"),
      server: text,
      level: oneWord("info", "notice", "warning", "error", "critical", "alert", "emergency"),
      text,
    },
    { logger: text },
  ),
  object({ type: literal("run_completed"), result }),
);

/** Does not compile unless the schema says exactly what `RunEvent` says. */
const complete: Same<typeof events extends Typed<infer T> ? T : never, RunEvent> = true;

/** The published schema: one event, as `--stream-json` writes it, one a line. */
export const runEventsSchema: Readonly<Record<string, unknown>> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "RunEvent",
  description: complete
    ? "What happens in a run of Drawbridge, version 1. Later versions add types and fields; they remove nothing."
    : "",
  ...events.json,
};
