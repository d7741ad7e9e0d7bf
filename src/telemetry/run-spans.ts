import type { RunEvent, RunResult, Stop } from "../types/events.ts";
import type { RunInput } from "../types/host.ts";
import type { SpanAttributes, TraceContext } from "../types/telemetry.ts";
import { modelAttributes, named, usageAttributes } from "./attributes.ts";
import { inputMessages, outputMessages } from "./content.ts";
import { createInputSpans, type InputSpans } from "./input-spans.ts";
import { type OpenSpan, type SpanError, startSpan, type Tracing } from "./span.ts";

/** The spans of one run, made of what it tells: the run, its turns, its requests to models. */
export interface RunSpans {
  /** Takes the next event. Never throws. */
  take(event: RunEvent): void;
  /** What the calls of this moment belong to. */
  parent(): TraceContext;
}

export interface RunSpanSettings {
  readonly tracing: Tracing;
  readonly conversationId: string;
  readonly input: RunInput;
  /** The spans of the calls that run, by call id. */
  readonly calls: ReadonlyMap<string, OpenSpan>;
}

type Told<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** What is under way. */
interface State {
  readonly settings: RunSpanSettings;
  /** The program's own span, as the run began. */
  readonly outside: TraceContext;
  readonly asked: InputSpans;
  /** `api/name` of the model that is asked first in each turn. */
  model: string;
  run: OpenSpan | null;
  turn: OpenSpan | null;
  chat: OpenSpan | null;
}

/**
 * GenAI conventions (agent spans, inference): `invoke_agent` for the run, `chat` for a request with all its attempts.
 * Turns have no name there; theirs is `turn`.
 */
export function createRunSpans(settings: RunSpanSettings): RunSpans {
  const { tracing, calls } = settings;
  const outside = tracing.active();
  const parent = (): TraceContext => (state.turn ?? state.run)?.context ?? outside;
  const asked = createInputSpans(tracing, (callIds) => {
    const [only, ...others] = callIds;
    const call = only === undefined || others.length > 0 ? undefined : calls.get(only);
    return call?.context ?? parent();
  });
  const state: State = { settings, outside, asked, model: "", run: null, turn: null, chat: null };
  return { parent, take: (event) => take(event, state) };
}

type Takers = { readonly [T in RunEvent["type"]]?: (event: Told<T>, state: State) => void };

const takers: Takers = {
  run_started: startRun,
  turn_started: startTurn,
  turn_revoked: revoke,
  model_fallback: fallBack,
  message_completed: endChat,
  context_compacted({ results, before, after }, { run }) {
    run?.event("drawbridge.context_compacted", {
      "drawbridge.results_left_out": results,
      "drawbridge.tokens_before": before,
      "drawbridge.tokens_after": after,
    });
  },
  call_rejected({ callId, error }, { turn, settings }) {
    const id = settings.tracing.texts.name(callId);
    turn?.event("drawbridge.call_rejected", { "gen_ai.tool.call.id": id, "error.type": error.code });
  },
  call_started({ callId, attempt }, { settings }) {
    if (attempt < 2) return;
    settings.calls.get(callId)?.event("drawbridge.call_retried", { "drawbridge.attempt": attempt });
  },
  run_completed: ({ result }, state) => endRun(result, state),
};

function take<T extends RunEvent["type"]>(event: Told<T>, state: State): void {
  const taker = takers[event.type] as ((event: Told<T>, state: State) => void) | undefined;
  if (taker === undefined) state.asked.take(event);
  else taker(event, state);
}

function startRun({ runId, model }: Told<"run_started">, state: State): void {
  const { tracing, conversationId, input } = state.settings;
  const { texts, content } = tracing;
  state.model = model;
  const attributes: SpanAttributes = {
    "gen_ai.operation.name": "invoke_agent",
    ...named(modelAttributes(model), texts),
    "gen_ai.conversation.id": texts.name(conversationId),
    "drawbridge.run.id": runId,
    ...(content ? { "gen_ai.input.messages": texts.content(inputMessages(input, texts.redact)) } : {}),
  };
  state.run = startSpan(tracing, "invoke_agent", "internal", attributes, state.outside);
}

function startTurn({ turn }: Told<"turn_started">, state: State): void {
  // An answer that was dropped is followed by the next turn without another word.
  state.chat?.end();
  state.turn?.end();
  const { tracing } = state.settings;
  const parent = state.run?.context ?? state.outside;
  state.turn = startSpan(tracing, "turn", "internal", { "drawbridge.turn": turn }, parent);
  startChat(state.model, state);
}

function startChat(model: string, state: State): void {
  const { tracing } = state.settings;
  const { texts } = tracing;
  const asked = named(modelAttributes(model), texts);
  const attributes = { "gen_ai.operation.name": "chat", ...asked, "gen_ai.request.stream": true };
  const parent = (state.turn ?? state.run)?.context ?? state.outside;
  state.chat = startSpan(tracing, `chat ${asked["gen_ai.request.model"]}`, "client", attributes, parent);
}

function revoke({ attempt, reason, retryInMs }: Told<"turn_revoked">, state: State): void {
  const { texts, content } = state.settings.tracing;
  state.chat?.event("drawbridge.attempt_revoked", {
    "drawbridge.attempt": attempt,
    "drawbridge.retry_in_ms": retryInMs,
    ...(content ? { "drawbridge.reason": texts.content(reason) } : {}),
  });
}

/** Each model that was asked has a span of its own. */
function fallBack({ to, reason }: Told<"model_fallback">, state: State): void {
  state.chat?.set({ "gen_ai.response.finish_reasons": ["refusal"] });
  state.chat?.end({ type: "refused", message: reason });
  startChat(to, state);
}

function endChat({ message, stopReason, usage }: Told<"message_completed">, state: State): void {
  const { texts, content } = state.settings.tracing;
  const { chat } = state;
  const { native } = message;
  chat?.set({
    "gen_ai.response.finish_reasons": [stopReason],
    ...(native === undefined ? {} : { "gen_ai.response.model": texts.name(native.model) }),
    ...usageAttributes(usage),
    ...(content
      ? { "gen_ai.output.messages": texts.content(outputMessages(message, texts.redact, stopReason)) }
      : {}),
  });
  chat?.end();
  state.chat = null;
}

function endRun(result: RunResult, state: State): void {
  const { texts, content } = state.settings.tracing;
  const { stop, turns, calls, unasked, usage, cost, message } = result;
  const error = errorOf(stop);
  state.chat?.end(error);
  state.asked.end();
  // A limit ends the run between two turns: only what broke a turn off is its error too.
  const broken = stop.type === "failed" || stop.type === "aborted" || state.chat !== null;
  state.turn?.end(broken ? error : undefined);
  const said = content && message !== null;
  state.run?.set({
    "drawbridge.run.stop": stop.type,
    "drawbridge.run.turns": turns,
    "drawbridge.run.calls": calls,
    "drawbridge.run.unasked": unasked,
    ...(cost === undefined ? {} : { "drawbridge.run.cost_usd": cost.usd }),
    ...usageAttributes(usage),
    ...(said ? { "gen_ai.output.messages": texts.content(outputMessages(message, texts.redact)) } : {}),
  });
  state.run?.end(error);
  Object.assign(state, { run: null, turn: null, chat: null });
}

/** Every end without an answer is an error of the run: the code of a failure, else the kind of stop. */
function errorOf(stop: Stop): SpanError | undefined {
  if (stop.type === "answered") return undefined;
  if (stop.type === "failed") return { type: stop.error.code, message: stop.error.message };
  if (stop.type === "refused") return { type: stop.type, message: stop.explanation };
  return { type: stop.type };
}
