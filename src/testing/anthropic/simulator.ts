import { isObject } from "../../util/own.ts";
import type { AnswerOrder, WireAnswer } from "../wire-server/api.ts";
import type { ReceivedRequest } from "../wire-server/received-request.ts";
import {
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../wire-server/server.ts";
import { type AnswerHead, answerEvents, answerMessage } from "./answer-events.ts";
import { type CacheDiagnosis, createCacheDiagnosis } from "./cache-diagnosis.ts";
import { betasOf, checkRequest } from "./check-request.ts";
import { chooseTurn } from "./chooser.ts";
import { faultAnswer } from "./errors.ts";
import type { ModelFacts } from "./model-facts.ts";
import { type CacheUsage, createPromptCache, type PromptCache } from "./prompt-cache.ts";
import { hasBeta, objectsOf, type RuleContext, type WireObject } from "./rules/request-view.ts";
import { bindingBeta, unboundThinking } from "./rules/thinking-replay.ts";
import { createThinkingMarks, type ThinkingMarks } from "./thinking-marks.ts";
import { completeTurn, type SimulatedBlock, type SimulatedTurn } from "./turns.ts";
import { ruleContext, type ValidationSettings } from "./validate.ts";

export type { SimulatedRequest };

/** How the simulated API behaves. Without turns a few rules choose: see `chooseTurn`. */
export interface AnthropicSimulatorOptions extends SimulatorOptions<SimulatedTurn> {
  /** Tokens that fit into a request with its answer. Default: what the model's name stands for. */
  readonly contextTokens?: number;
}

export type AnthropicSimulator = Simulator;

/**
 * Starts a strict stand-in for the Anthropic Messages API on 127.0.0.1. It refuses what the API refuses, with its
 * status and words, streams like it, counts tokens and its prompt cache, and fails on demand.
 */
export async function startAnthropicSimulator(
  options: AnthropicSimulatorOptions = {},
): Promise<AnthropicSimulator> {
  const state: SimulatedState = {
    cache: createPromptCache(),
    marks: createThinkingMarks(),
    diagnosis: createCacheDiagnosis(),
    usages: new WeakMap(),
    unoffered: new Set(),
    calls: 0,
    model: options.contextTokens === undefined ? {} : { contextTokens: options.contextTokens },
  };
  return startSimulator(options, {
    check(request) {
      const refusal = checkRequest(request, settingsOf(request, state));
      if (refusal === null) state.usages.set(request, state.cache.account(request.body));
      return refusal;
    },
    choose: ({ body }) => chooseTurn(body),
    refuse: faultAnswer,
    answer: (order) => answerOf(order, state),
    streams: ({ body }) => body.stream === true,
    errorFrame: frameOf({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    headers: (number) => ({ "request-id": `req_${number}` }),
  });
}

/** What a simulated API remembers between two requests. */
interface SimulatedState {
  readonly cache: PromptCache;
  readonly marks: ThinkingMarks;
  readonly diagnosis: CacheDiagnosis;
  readonly usages: WeakMap<ReceivedRequest, CacheUsage>;
  readonly unoffered: Set<string>;
  calls: number;
  readonly model: Partial<ModelFacts>;
}

function settingsOf(request: ReceivedRequest, state: SimulatedState): ValidationSettings {
  const { marks, model, unoffered } = state;
  return { betas: betasOf(request), marks, model, unoffered };
}

function answerOf(
  { request, turn, number, deltaChars }: AnswerOrder<SimulatedTurn>,
  state: SimulatedState,
): WireAnswer {
  const { body } = request;
  const context = ruleContext(body, settingsOf(request, state));
  const id = `msg_sim_${number}`;
  const head: AnswerHead = {
    id,
    model: String(body.model),
    usage: state.usages.get(request) ?? noUsage,
    diagnostics: state.diagnosis.diagnose(body, id),
    transformations: hasBeta(context, bindingBeta) ? dropped(body, context) : null,
  };
  const whole = completeTurn(turn, () => {
    state.calls += 1;
    return `toolu_sim_${String(state.calls).padStart(4, "0")}`;
  });
  const content = state.marks.mark(shownThinking(whole.content, body), body);
  rememberUnoffered(content, body, state.unoffered);
  const full = context.inputTokens() + whole.outputTokens > context.model.contextTokens;
  const complete = {
    ...whole,
    content,
    stopReason: full ? "model_context_window_exceeded" : whole.stopReason,
  };
  return {
    json: answerMessage(head, complete),
    frames: answerEvents(head, complete, deltaChars).map(frameOf),
  };
}

/** A request that wants no words of the thinking gets its blocks empty, with their signatures. */
function shownThinking(
  content: readonly SimulatedBlock[],
  { thinking }: WireObject,
): readonly SimulatedBlock[] {
  if (!isObject(thinking) || thinking.display !== "omitted") return content;
  return content.map((block) => (block.type === "thinking" ? { ...block, thinking: "" } : block));
}

/** A script may call tools of the API's own that nobody offered: their turns can be sent back all the same. */
function rememberUnoffered(
  content: readonly SimulatedBlock[],
  body: WireObject,
  unoffered: Set<string>,
): void {
  const offered = new Set(objectsOf(body.tools).map(({ name }) => name));
  for (const { type, id, name } of content) {
    if (type === "server_tool_use" && !offered.has(name)) unoffered.add(String(id));
  }
}

function dropped(body: WireObject, context: RuleContext): object[] {
  return unboundThinking(body, context).map((path) => ({
    type: "thinking_dropped",
    path,
    reason: "prefix_binding_mismatch",
  }));
}

const noUsage: CacheUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function frameOf(event: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
