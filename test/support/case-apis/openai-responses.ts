import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createOpenAiResponsesModel } from "../../../src/models/openai-responses/model.ts";
import { openaiDialect } from "../../../src/models/schema/openai-dialect.ts";
import type { SimulatedBlock, SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import { startOpenAiResponsesSimulator } from "../../../src/testing/openai-responses/simulator.ts";
import type {
  SimulatedResponseItem,
  SimulatedResponseTurn,
} from "../../../src/testing/openai-responses/turns.ts";
import type { WireObject } from "../../../src/testing/wire-server/api.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { itemsOf, membersOf } from "../members.ts";
import { type CaseApi, inputOf, mapTurns, type SeenBody, type SeenImage, type SeenMessage } from "./api.ts";

const expressible: ReadonlySet<string> = new Set(
  "text thinking tool_use end_turn max_tokens model_context_window_exceeded refusal".split(" "),
);

function itemsOfBlock(block: SimulatedBlock): SimulatedResponseItem[] {
  if (block.type === "text") return [{ type: "message", text: String(block.text) }];
  if (block.type === "thinking") return [{ type: "reasoning", summary: [String(block.thinking)] }];
  if (block.type !== "tool_use") return [];
  const id = typeof block.id === "string" ? { call_id: block.id } : {};
  return [{ type: "function_call", ...id, name: String(block.name), arguments: inputOf(block) }];
}

function turnOf({ content, stop_reason: reason, delayMs }: SimulatedTurn): SimulatedResponseTurn {
  const cut = reason === "max_tokens" || reason === "model_context_window_exceeded";
  return {
    output: [
      ...content.flatMap(itemsOfBlock),
      ...(reason === "refusal" ? [{ type: "message" as const, refusal: "I cannot help with that." }] : []),
    ],
    ...(cut ? { incomplete: "max_output_tokens" as const } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function textOf(parts: readonly WireObject[]): string {
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}

function imagesOf(parts: readonly WireObject[]): SeenImage[] {
  return parts.flatMap((part) => {
    const found = /^data:(?<mediaType>[^;]+);base64,(?<data>.*)$/s.exec(String(part.image_url))?.groups;
    return found === undefined ? [] : [{ mediaType: found.mediaType ?? "", data: found.data ?? "" }];
  });
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function readResult({ call_id: callId, output }: WireObject): SeenMessage {
  const parts = typeof output === "string" ? [{ text: output }] : itemsOf(output);
  const text = textOf(parts);
  const isError = text.startsWith("ERROR: ");
  return {
    role: "result",
    callId: String(callId),
    text: isError ? text.slice(7) : text,
    images: imagesOf(parts),
    isError,
  };
}

/** What one item adds to the turn of the model that it is a part of. */
function readTurnItem({
  type,
  call_id: id,
  name,
  arguments: input,
  content,
  encrypted_content: sealed,
}: WireObject) {
  return {
    role: "assistant",
    text: textOf(itemsOf(content)),
    calls: type === "function_call" ? [{ id: String(id), name: String(name), input: parsed(input) }] : [],
    opaque: typeof sealed === "string" ? [sealed] : [],
  } as const;
}

/** Items of one turn of the model are one message. */
function readInput(items: readonly WireObject[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  for (const item of items) {
    const last = seen.at(-1);
    if (item.type === "function_call_output") seen.push(readResult(item));
    else if (item.role === "user") {
      const parts = itemsOf(item.content);
      seen.push({ role: "user", text: textOf(parts), images: imagesOf(parts) });
    } else {
      const { role, text, calls, opaque } = readTurnItem(item);
      if (last?.role !== "assistant") seen.push({ role, text, calls, opaque });
      else {
        const words = [last.text, text].filter((part) => part !== "").join("\n");
        const whole = {
          role,
          text: words,
          calls: [...last.calls, ...calls],
          opaque: [...last.opaque, ...opaque],
        };
        seen.splice(-1, 1, whole);
      }
    }
  }
  return seen;
}

function read({ body }: SimulatedRequest): SeenBody {
  return {
    tools: itemsOf(body.tools).map(({ name, parameters }) => ({
      name: String(name),
      schema: membersOf(parameters),
    })),
    messages: readInput(itemsOf(body.input)),
  };
}

/** OpenAI's Responses API. */
export const responsesApi: CaseApi = {
  name: "openai-responses",
  keys: openaiDialect.keys,
  canSay: (what) => expressible.has(what),
  keepsOpaque: true,
  models: ["gpt-5.6", "gpt-4.1"],
  async start({ turns, maxRetries = 0, clock = systemClock, ...pieces }) {
    const simulator = await startOpenAiResponsesSimulator({ turns: mapTurns(turns, turnOf), ...pieces });
    const fetch = createKeepAliveFetch();
    const modelNamed = (name: string): Model =>
      createOpenAiResponsesModel({
        name,
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
