import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { openApiDialect } from "../../../src/models/gemini/dialect.ts";
import { createGeminiModel } from "../../../src/models/gemini/model.ts";
import type { SimulatedBlock, SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import { startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { SimulatedGeminiPart, SimulatedGeminiTurn } from "../../../src/testing/gemini/turns.ts";
import type { WireObject } from "../../../src/testing/wire-server/api.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { itemsOf, membersOf } from "../members.ts";
import { type CaseApi, inputOf, mapTurns, type SeenBody, type SeenImage, type SeenMessage } from "./api.ts";

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "STOP",
  tool_use: "STOP",
  max_tokens: "MAX_TOKENS",
  model_context_window_exceeded: "MAX_TOKENS",
  refusal: "SAFETY",
};

const expressible: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "tool_use",
  ...Object.keys(finishReasons),
]);

function partsOf(block: SimulatedBlock): SimulatedGeminiPart[] {
  if (block.type === "text") return [{ text: String(block.text) }];
  if (block.type === "thinking") return [{ text: String(block.thinking), thought: true }];
  if (block.type !== "tool_use") return [];
  const id = typeof block.id === "string" ? { id: block.id } : {};
  return [{ functionCall: { ...id, name: String(block.name), args: inputOf(block) } }];
}

function turnOf({ content, stop_reason: reason, delayMs }: SimulatedTurn): SimulatedGeminiTurn {
  const named = reason === undefined ? undefined : (finishReasons[reason] ?? reason.toUpperCase());
  return {
    parts: content.flatMap(partsOf),
    ...(named === undefined || named === "STOP" || named === "PAUSE_TURN" ? {} : { finishReason: named }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function imageOf(part: WireObject): SeenImage[] {
  const { mimeType, data } = membersOf(part.inlineData);
  return mimeType === undefined ? [] : [{ mediaType: String(mimeType), data: String(data) }];
}

function readModel(parts: readonly WireObject[]): SeenMessage {
  const spoken = parts.filter(({ thought, text }) => thought !== true && typeof text === "string");
  return {
    role: "assistant",
    text: spoken.map(({ text }) => text).join("\n"),
    calls: parts.flatMap(({ functionCall }) => {
      const { id, name, args } = membersOf(functionCall);
      return name === undefined ? [] : [{ id: String(id), name: String(name), input: args ?? {} }];
    }),
    opaque: parts.flatMap(({ thoughtSignature: mark }) => (typeof mark === "string" ? [mark] : [])),
  };
}

/** Responses first; images behind the name of a call belong to its result. */
function readUser(parts: readonly WireObject[]): SeenMessage[] {
  const results: SeenMessage[] = [];
  const imagesOf = new Map<string, SeenImage[]>();
  const texts: string[] = [];
  const images: SeenImage[] = [];
  let owner: SeenImage[] | undefined;
  for (const part of parts) {
    const { id, response, parts: inner } = membersOf(part.functionResponse);
    if (response !== undefined) {
      const { output, error } = membersOf(response);
      const own = itemsOf(inner).flatMap(imageOf);
      imagesOf.set(String(id), own);
      const text = String(error ?? output);
      results.push({ role: "result", callId: String(id), text, images: own, isError: error !== undefined });
    } else if (typeof part.text === "string") {
      owner = imagesOf.get(/^From the result of .* \((\S+)\):$/s.exec(part.text)?.[1] ?? "");
      if (owner === undefined) texts.push(part.text);
    } else (owner ?? images).push(...imageOf(part));
  }
  const nothing = texts.length + images.length === 0;
  return nothing ? results : [...results, { role: "user", text: texts.join("\n"), images }];
}

function read({ body }: SimulatedRequest): SeenBody {
  const declared = itemsOf(body.tools).flatMap((tool) => itemsOf(tool.functionDeclarations));
  return {
    tools: declared.map(({ name, parameters, parametersJsonSchema }) => ({
      name: String(name),
      schema: membersOf(parameters ?? parametersJsonSchema),
    })),
    messages: itemsOf(body.contents).flatMap(({ role, parts }) =>
      role === "model" ? [readModel(itemsOf(parts))] : readUser(itemsOf(parts)),
    ),
  };
}

/** Google's Gemini API. */
export const geminiApi: CaseApi = {
  name: "gemini",
  keys: openApiDialect.keys,
  canSay: (what) => expressible.has(what),
  keepsOpaque: true,
  models: ["gemini-3-pro", "gemini-2.5-flash"],
  async start({ turns, maxRetries = 0, clock = systemClock, ...pieces }) {
    const simulator = await startGeminiSimulator({ turns: mapTurns(turns, turnOf), ...pieces });
    const fetch = createKeepAliveFetch();
    const modelNamed = (name: string): Model =>
      createGeminiModel({
        name,
        apiKey: "key-of-the-simulator",
        baseUrl: simulator.url,
        fetch,
        maxRetries,
        retryDeadlineMs: 60_000,
        clock,
      });
    return {
      modelNamed,
      requests: simulator.requests as SimulatedRequest[],
      read,
      async [Symbol.asyncDispose]() {
        await simulator.close();
        fetch.close?.();
      },
    };
  },
};
