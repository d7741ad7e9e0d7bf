import { createPromptCache, type PromptTokens } from "../openai-chat/prompt-cache.ts";
import type { WireObject } from "../wire-server/api.ts";
import type { ReceivedRequest } from "../wire-server/received-request.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../wire-server/server.ts";
import { frameOf, geminiFrames, geminiResponse } from "./answer-chunks.ts";
import { askedOf, checkRequest } from "./check-request.ts";
import { chooseGeminiTurn } from "./chooser.ts";
import { countedRequest } from "./count-tokens.ts";
import { errorBody, faultAnswer } from "./errors.ts";
import { modelFacts } from "./model-facts.ts";
import { mintSignature, signerOf } from "./signatures.ts";
import { completeTurn, type Minting, type SimulatedGeminiTurn } from "./turns.ts";

/** How the simulated API behaves. Without turns a few rules choose: see `chooseGeminiTurn`. */
export interface GeminiSimulatorOptions extends SimulatorOptions<SimulatedGeminiTurn> {
  /** Tokens that fit into a request. Default: 1,048,576. */
  readonly contextTokens?: number;
}

/**
 * Starts a strict stand-in for Google's Gemini API on 127.0.0.1; its paths are
 * `/v1beta/models/NAME:streamGenerateContent`, `:generateContent` and `:countTokens`. It refuses what the API refuses,
 * with its status and words, streams like it, signs the calls of models that sign them and knows its signatures again,
 * counts tokens and the implicit cache, and fails on demand.
 */
export async function startGeminiSimulator(options: GeminiSimulatorOptions = {}): Promise<Simulator> {
  const { contextTokens: limit = 1_048_576 } = options;
  const cache = createPromptCache();
  const counted = new WeakMap<ReceivedRequest, PromptTokens>();
  /** Signatures that a script gave out, with the model that they are from. */
  const scripted = new Map<string, string>();
  const modelOf = (request: ReceivedRequest): string => askedOf(request)?.model ?? "";
  let calls = 0;
  let signatures = 0;
  const mintingFor = (model: string): Minting => ({
    id() {
      calls += 1;
      return `sim${calls}`;
    },
    signature() {
      signatures += 1;
      return modelFacts(model).signsCalls ? mintSignature(model, String(signatures)) : null;
    },
  });
  return startSimulator(options, {
    check(request) {
      const refusal = checkRequest(request, {
        signerOf: (signature) => scripted.get(signature) ?? signerOf(signature),
      });
      if (refusal !== null) return refusal;
      const model = modelOf(request);
      if (askedOf(request)?.method === "countTokens") {
        const counted = countedRequest(request.body, model);
        const { prompt } = tokensOf("body" in counted ? counted.body : {}, model, createPromptCache());
        return { status: 200, body: { totalTokens: prompt } };
      }
      const tokens = tokensOf(request.body, model, cache);
      counted.set(request, tokens);
      if (tokens.prompt <= limit) return null;
      const message = `The input token count (${tokens.prompt}) exceeds the maximum number of tokens allowed (${limit}).`;
      return { status: 400, body: errorBody(400, message) };
    },
    choose: ({ body }) => chooseGeminiTurn(body),
    refuse: faultAnswer,
    answer({ request, turn, number, deltaChars }) {
      const model = modelOf(request);
      for (const { thoughtSignature } of turn.parts ?? []) {
        if (typeof thoughtSignature === "string") scripted.set(thoughtSignature, model);
      }
      const answer = {
        id: `sim-response-${number}`,
        model,
        turn: completeTurn(turn, mintingFor(model)),
        tokens: counted.get(request) ?? { prompt: 0, cached: 0 },
      };
      const json = geminiResponse(answer);
      // Without `alt=sse` a stream is one list of answers.
      const listed = askedOf(request)?.method === "streamGenerateContent";
      return { json: listed ? [json] : json, frames: geminiFrames(answer, deltaChars) };
    },
    streams: (request) =>
      askedOf(request)?.method === "streamGenerateContent" && request.query.get("alt") === "sse",
    errorFrame: frameOf(JSON.stringify(errorBody(503, "The model is overloaded. Please try again later."))),
    headers: () => ({}),
  });
}

/** The implicit cache finds a prefix from the length on that the documentation names for the model. */
function tokensOf(
  body: WireObject,
  model: string,
  cache: ReturnType<typeof createPromptCache>,
): PromptTokens {
  const { systemInstruction = null, tools = [], contents = [] } = body;
  const { prompt, cached } = cache.account({ model, tools: [systemInstruction, tools], messages: contents });
  return { prompt, cached: cached < modelFacts(model).cacheMinimum ? 0 : cached };
}
