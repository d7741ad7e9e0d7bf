import type { ReceivedRequest } from "../wire-server/received-request.ts";
import {
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../wire-server/server.ts";
import { answerEvents, answerMessage } from "./answer-events.ts";
import { checkRequest } from "./check-request.ts";
import { chooseTurn } from "./chooser.ts";
import { faultAnswer, invalidRequest } from "./errors.ts";
import { type CacheUsage, createPromptCache } from "./prompt-cache.ts";
import { completeTurn, type SimulatedTurn } from "./turns.ts";

export type { SimulatedRequest };

/** How the simulated API behaves. Without turns a few rules choose: see `chooseTurn`. */
export interface AnthropicSimulatorOptions extends SimulatorOptions<SimulatedTurn> {
  /** Tokens that fit into a request: over it, the prompt is too long. Default: 1,000,000. */
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
  const cache = createPromptCache();
  const usages = new WeakMap<ReceivedRequest, CacheUsage>();
  let calls = 0;
  const mintId = (): string => `toolu_sim_${String(++calls).padStart(4, "0")}`;
  return startSimulator(options, {
    check(request) {
      const refusal = checkRequest(request);
      if (refusal !== null) return refusal;
      const usage = cache.account(request.body);
      usages.set(request, usage);
      const tokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
      const limit = options.contextTokens ?? 1_000_000;
      if (tokens <= limit) return null;
      return invalidRequest(`prompt is too long: ${tokens} tokens > ${limit} maximum`);
    },
    choose: ({ body }) => chooseTurn(body),
    refuse: faultAnswer,
    answer({ request, turn, number, deltaChars }) {
      const usage = usages.get(request) ?? noUsage;
      const head = { id: `msg_sim_${number}`, model: String(request.body.model), usage };
      const complete = completeTurn(turn, mintId);
      return {
        json: answerMessage(head, complete),
        frames: answerEvents(head, complete, deltaChars).map(frameOf),
      };
    },
    streams: ({ body }) => body.stream === true,
    errorFrame: frameOf({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    headers: (number) => ({ "request-id": `req_${number}` }),
  });
}

const noUsage: CacheUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function frameOf(event: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
