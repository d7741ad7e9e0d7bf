import { isObject } from "../../util/own.ts";
import type { WireObject } from "../wire-server/api.ts";
import type { ReceivedRequest } from "../wire-server/received-request.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../wire-server/server.ts";
import { chatCompletion, chatFrames, frameOf } from "./answer-chunks.ts";
import { checkRequest } from "./check-request.ts";
import { chooseChatTurn } from "./chooser.ts";
import { errorAnswer, faultAnswer } from "./errors.ts";
import { createPromptCache, type PromptTokens } from "./prompt-cache.ts";
import type { ChatServerKind } from "./server-kind.ts";
import { answerAboutModel, everyCapability } from "./show-model.ts";
import { completeCalls, type SimulatedChatTurn } from "./turns.ts";

/** How the simulated API behaves. Without turns a few rules choose: see `chooseChatTurn`. */
export interface OpenAiChatSimulatorOptions extends SimulatorOptions<SimulatedChatTurn> {
  /** Whose rules and forms. Default: OpenAI's own. */
  readonly kind?: ChatServerKind;
  /** Tokens that fit into a request. Default: 1,000,000. */
  readonly contextTokens?: number;
  /** What an Ollama model can do, as its `/api/show` says. Default: also tools. */
  readonly capabilities?: readonly string[];
}

/**
 * Starts a strict stand-in for OpenAI's Chat Completions API, or for a server that speaks it, on 127.0.0.1; its path
 * is `/v1/chat/completions`. It refuses what the API refuses, with its status and words, streams like it, counts
 * tokens and its prompt cache, and fails on demand.
 */
export async function startOpenAiChatSimulator(options: OpenAiChatSimulatorOptions = {}): Promise<Simulator> {
  const { kind = "openai", contextTokens: limit = 1_000_000, capabilities = everyCapability } = options;
  const cache = createPromptCache();
  const counted = new WeakMap<ReceivedRequest, PromptTokens>();
  let calls = 0;
  const mintId = (): string => {
    calls += 1;
    return kind === "mistral" ? `sim${String(calls).padStart(6, "0")}` : `call_sim_${calls}`;
  };
  return startSimulator(options, {
    check(request) {
      const refusal = answerAboutModel(request, kind, capabilities) ?? checkRequest(request, kind);
      if (refusal !== null) return refusal;
      const tokens = cache.account(request.body);
      counted.set(request, tokens);
      if (tokens.prompt <= limit) return null;
      return errorAnswer(kind, {
        message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens.prompt} tokens. Please reduce the length of the messages.`,
        param: "messages",
        code: "context_length_exceeded",
      });
    },
    choose: ({ body }) => chooseChatTurn(body),
    refuse: (fault) => faultAnswer(kind, fault),
    answer({ request, turn, number, deltaChars }) {
      const tokens = counted.get(request) ?? { prompt: 0, cached: 0 };
      const complete = completeCalls(turn, mintId);
      const answer = {
        id: `chatcmpl-sim${number}`,
        model: String(request.body.model),
        turn,
        calls: complete,
        usage: usageOf(kind, tokens, Math.ceil(JSON.stringify([turn.content, complete]).length / 4)),
        streamUsage: streamUsage(kind, request.body),
      };
      return { json: chatCompletion(answer), frames: chatFrames(answer, deltaChars) };
    },
    streams: ({ body }) => body.stream === true,
    errorFrame: frameOf({
      error: {
        message: "The server had an error while processing your request.",
        type: "server_error",
        code: null,
      },
    }),
    headers: (number) => ({ "x-request-id": `req_${number}` }),
  });
}

function streamUsage(kind: ChatServerKind, body: WireObject): "chunk" | "last" | null {
  if (kind === "mistral") return "last";
  const options = isObject(body.stream_options) ? body.stream_options : {};
  return options.include_usage === true ? "chunk" : null;
}

function usageOf(kind: ChatServerKind, { prompt, cached }: PromptTokens, output: number): WireObject {
  const totals = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
  return kind === "deepseek"
    ? { ...totals, prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: prompt - cached }
    : { ...totals, prompt_tokens_details: { cached_tokens: cached } };
}
