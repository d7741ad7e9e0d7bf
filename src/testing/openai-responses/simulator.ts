import { isObject } from "../../util/own.ts";
import { errorAnswer, faultAnswer } from "../openai-chat/errors.ts";
import { createPromptCache, type PromptTokens } from "../openai-chat/prompt-cache.ts";
import type { WireObject } from "../wire-server/api.ts";
import type { ReceivedRequest } from "../wire-server/received-request.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../wire-server/server.ts";
import { frameOf, type ResponseAnswer, responseFrames, wholeResponse } from "./answer-events.ts";
import { checkRequest, countPath } from "./check-request.ts";
import { chooseResponseTurn } from "./chooser.ts";
import { createIssuedItems } from "./issued-items.ts";
import { completeItems, type SimulatedResponseTurn } from "./turns.ts";

/** How the simulated API behaves. Without turns a few rules choose: see `chooseResponseTurn`. */
export interface OpenAiResponsesSimulatorOptions extends SimulatorOptions<SimulatedResponseTurn> {
  /** Tokens that fit into a request. Default: 1,000,000. */
  readonly contextTokens?: number;
}

/**
 * Starts a strict stand-in for OpenAI's Responses API on 127.0.0.1; its paths are `/v1/responses` and
 * `/v1/responses/input_tokens`. It stores nothing, as
 * the API does with `store: false`. It refuses what the API refuses, with its status and words, knows its reasoning
 * items again, streams like it, counts tokens and its prompt cache, and fails on demand.
 */
export async function startOpenAiResponsesSimulator(
  options: OpenAiResponsesSimulatorOptions = {},
): Promise<Simulator> {
  const { contextTokens: limit = 1_000_000 } = options;
  const cache = createPromptCache();
  const issued = createIssuedItems();
  const counted = new WeakMap<ReceivedRequest, PromptTokens>();
  let minted = 0;
  const next = (): number => {
    minted += 1;
    return minted;
  };
  return startSimulator(options, {
    check(request) {
      const refusal = checkRequest(request, issued);
      if (refusal !== null) return refusal;
      const { model, tools, instructions, input } = request.body;
      if (request.path.endsWith(countPath)) {
        const { prompt } = createPromptCache().account({
          model,
          tools: [tools, instructions],
          messages: input,
        });
        return { status: 200, body: { object: "response.input_tokens", input_tokens: prompt } };
      }
      const tokens = cache.account({ model, tools: [tools, instructions], messages: input });
      counted.set(request, tokens);
      if (tokens.prompt <= limit) return null;
      return errorAnswer("openai", {
        message:
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
        param: "input",
        code: "context_length_exceeded",
      });
    },
    choose: ({ body }) => chooseResponseTurn(body),
    refuse: (fault) => faultAnswer("openai", fault),
    answer({ request: { body }, request, turn, number, deltaChars }) {
      const encrypted = Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content");
      const items = completeItems(turn, { next, issued, encrypted });
      issued.issue(items);
      const tokens = counted.get(request) ?? { prompt: 0, cached: 0 };
      const usage = { ...usageOf(tokens, items), ...turn.usage };
      const answer: ResponseAnswer = {
        response: responseOf(body, number),
        items,
        end: endOf(turn, usage),
        obfuscated: !(isObject(body.stream_options) && body.stream_options.include_obfuscation === false),
      };
      return { json: wholeResponse(answer), frames: responseFrames(answer, deltaChars) };
    },
    streams: ({ body }) => body.stream === true,
    errorFrame: frameOf({
      type: "error",
      code: "server_error",
      message: "The server had an error while processing your request.",
      param: null,
      sequence_number: 99,
    }),
    headers: (number) => ({ "x-request-id": `req_${number}` }),
  });
}

/** When every answer was made: tests compare whole answers. */
const createdAt = 1_790_000_000;

/** What a response repeats of its request. */
function responseOf(body: WireObject, number: number): WireObject {
  return {
    id: `resp_sim${number}`,
    object: "response",
    created_at: createdAt,
    model: body.model,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    store: body.store ?? true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
  };
}

function endOf({ incomplete, failed }: SimulatedResponseTurn, usage: WireObject): WireObject {
  if (failed !== undefined) return { status: "failed", error: failed, usage };
  if (incomplete === undefined) return { status: "completed", usage };
  return { status: "incomplete", incomplete_details: { reason: incomplete }, usage };
}

/** Tokens of an answer: a quarter of its characters. */
function usageOf({ prompt, cached }: PromptTokens, items: readonly WireObject[]): WireObject {
  const tokens = (some: readonly WireObject[]): number =>
    some.length === 0 ? 0 : Math.ceil(JSON.stringify(some).length / 4);
  const output = tokens(items);
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: tokens(items.filter(({ type }) => type === "reasoning")) },
    total_tokens: prompt + output,
  };
}
