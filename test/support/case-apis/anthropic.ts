import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createAnthropicModel } from "../../../src/models/anthropic/model.ts";
import { plainKeys } from "../../../src/models/schema/dialect.ts";
import { startAnthropicSimulator } from "../../../src/testing/anthropic/simulator.ts";
import type { WireObject } from "../../../src/testing/wire-server/api.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { itemsOf, membersOf } from "../members.ts";
import type { CaseApi, SeenBody, SeenImage, SeenMessage } from "./api.ts";

function textOf(blocks: readonly WireObject[]): string {
  return blocks.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])).join("\n");
}

function imagesOf(blocks: readonly WireObject[]): SeenImage[] {
  return blocks.flatMap(({ type, source }) => {
    if (type !== "image") return [];
    const { media_type: mediaType, data } = membersOf(source);
    return [{ mediaType: String(mediaType), data: String(data) }];
  });
}

function blocksOf(content: unknown): readonly WireObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : itemsOf(content);
}

function readMessage({ role, content }: WireObject): SeenMessage[] {
  const blocks = blocksOf(content);
  if (role === "assistant") {
    const calls = blocks.flatMap(({ type, id, name, input }) =>
      type === "tool_use" ? [{ id: String(id), name: String(name), input }] : [],
    );
    const opaque = blocks.flatMap(({ type, signature, data }) => {
      if (type === "thinking") return [String(signature)];
      return type === "redacted_thinking" ? [String(data)] : [];
    });
    return [{ role, text: textOf(blocks), calls, opaque }];
  }
  const results = blocks.flatMap((block): SeenMessage[] => {
    if (block.type !== "tool_result") return [];
    const inner = blocksOf(block.content);
    return [
      {
        role: "result",
        callId: String(block.tool_use_id),
        text: textOf(inner),
        images: imagesOf(inner),
        isError: block.is_error === true,
      },
    ];
  });
  const others = blocks.filter(({ type }) => type !== "tool_result");
  if (others.length === 0) return results;
  return [...results, { role: "user", text: textOf(others), images: imagesOf(others) }];
}

function read({ body }: SimulatedRequest): SeenBody {
  return {
    tools: itemsOf(body.tools).map(({ name, input_schema }) => ({
      name: String(name),
      schema: membersOf(input_schema),
    })),
    messages: itemsOf(body.messages).flatMap(readMessage),
  };
}

/** The Anthropic Messages API. */
export const anthropicApi: CaseApi = {
  name: "anthropic",
  keys: plainKeys,
  canSay: () => true,
  keepsOpaque: true,
  // One thinks by itself, one takes no thinking.
  models: ["claude-opus-5", "claude-sonnet-4-5"],
  async start({ turns, maxRetries = 0, clock = systemClock, ...pieces }) {
    const simulator = await startAnthropicSimulator({ turns, ...pieces });
    const fetch = createKeepAliveFetch();
    const modelNamed = (name: string): Model =>
      createAnthropicModel({
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
