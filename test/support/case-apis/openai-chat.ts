import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createOpenAiChatModel } from "../../../src/models/openai-chat/model.ts";
import type { ChatApiName } from "../../../src/models/openai-chat/profile.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import type { SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import { startOpenAiChatSimulator } from "../../../src/testing/openai-chat/simulator.ts";
import type { SimulatedChatTurn } from "../../../src/testing/openai-chat/turns.ts";
import type { WireObject } from "../../../src/testing/wire-server/api.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { itemsOf, membersOf } from "../members.ts";
import { type CaseApi, inputOf, mapTurns, type SeenBody, type SeenImage, type SeenMessage } from "./api.ts";

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

const expressible: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "tool_use",
  ...Object.keys(finishReasons),
]);

function turnOf({ content, stop_reason: reason, delayMs }: SimulatedTurn): SimulatedChatTurn {
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  const thinking = content.flatMap((block) => (block.type === "thinking" ? [String(block.thinking)] : []));
  const calls = content.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const id = typeof block.id === "string" ? { id: block.id } : {};
    return [{ ...id, name: String(block.name), arguments: inputOf(block) }];
  });
  return {
    ...(texts.length === 0 ? {} : { content: texts.join("\n") }),
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join("\n") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reason === undefined ? {} : { finish_reason: finishReasons[reason] ?? reason }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

const dataUrl = /^data:(?<mediaType>[^;]+);base64,(?<data>.*)$/s;

function imageOf(part: WireObject): SeenImage[] {
  const found = dataUrl.exec(String(membersOf(part.image_url).url))?.groups;
  return found === undefined ? [] : [{ mediaType: found.mediaType ?? "", data: found.data ?? "" }];
}

/** Results whose images stand in the message of the user behind them. */
interface OpenResult {
  readonly message: Extract<SeenMessage, { role: "result" }>;
  readonly images: SeenImage[];
}

/** Parts of a message of the user: images behind the name of a call belong to its result. */
function readUser(content: unknown, results: readonly OpenResult[]): SeenMessage[] {
  if (typeof content === "string") return [{ role: "user", text: content, images: [] }];
  const texts: string[] = [];
  const images: SeenImage[] = [];
  let owner: OpenResult | undefined;
  for (const part of itemsOf(content)) {
    if (part.type === "image_url") {
      (owner?.images ?? images).push(...imageOf(part));
      continue;
    }
    const id = /^From the result of the call (\S+):$/.exec(String(part.text))?.[1];
    owner = results.find(({ message }) => message.callId === id);
    if (owner === undefined) texts.push(String(part.text));
  }
  return texts.length + images.length === 0 ? [] : [{ role: "user", text: texts.join("\n"), images }];
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function readMessages(messages: readonly WireObject[]): SeenMessage[] {
  let open: OpenResult[] = [];
  return messages.flatMap((message): SeenMessage[] => {
    const { role, content } = message;
    const text = typeof content === "string" ? content : "";
    if (role === "tool") {
      const isError = text.startsWith("ERROR: ");
      const images: SeenImage[] = [];
      const callId = String(message.tool_call_id);
      const seen = { role: "result", callId, text: isError ? text.slice(7) : text, images, isError } as const;
      open.push({ message: seen, images });
      return [seen];
    }
    if (role === "user") return readUser(content, open);
    if (role !== "assistant") return [];
    const calls = itemsOf(message.tool_calls).map(({ id, function: called }) => {
      const { name, arguments: input } = membersOf(called);
      return { id: String(id), name: String(name), input: parsed(input) };
    });
    if (calls.length > 0) open = [];
    // Words of ours that stand between results and the user, for servers that want some there.
    if (calls.length === 0 && text === "I have read the results.") return [];
    return [{ role, text, calls, opaque: [] }];
  });
}

function read({ body }: SimulatedRequest): SeenBody {
  return {
    tools: itemsOf(body.tools).map((tool) => {
      const { name, parameters } = membersOf(tool.function);
      return { name: String(name), schema: membersOf(parameters) };
    }),
    messages: readMessages(itemsOf(body.messages)),
  };
}

/** Chat Completions, of OpenAI or of a server that speaks it. */
export function chatApi(api: ChatApiName): CaseApi {
  const profile = chatProfiles[api];
  return {
    name: api,
    keys: profile.dialect.keys,
    canSay: (what) => expressible.has(what),
    keepsOpaque: false,
    models: ["some-model", "another-model"],
    async start({ turns, maxRetries = 0, clock = systemClock, ...pieces }) {
      const kind = api === "openai-chat" ? "openai" : api;
      const simulator = await startOpenAiChatSimulator({ kind, turns: mapTurns(turns, turnOf), ...pieces });
      const fetch = createKeepAliveFetch();
      const modelNamed = (name: string): Model =>
        createOpenAiChatModel({
          name,
          profile,
          apiKey: "key-of-the-simulator",
          baseUrl: `${simulator.url}/v1`,
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
}
