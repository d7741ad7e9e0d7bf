import type { ModelRequest } from "../../types/model.ts";
import type { ToolSnapshot } from "../../types/tool.ts";
import { createSchemaLowering } from "../schema/lower.ts";
import { openaiDialect } from "../schema/openai-dialect.ts";
import { createHistoryEncoder, type EncodedMessage } from "../wire/history.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { createCacheKeys } from "../wire/prompt-cache-key.ts";
import { createToolEncoder, type EncodedTools } from "../wire/tools.ts";
import { encodeMessage, imageLimits } from "./message.ts";
import type { ReasoningRequest } from "./reasoning.ts";

/** Turns requests into bodies of the Responses API. */
export interface RequestEncoder {
  encode(request: ModelRequest): EncodedRequest;
  /** The same for the counter of input tokens, which takes nothing that is about the answer or the cache. */
  count(request: ModelRequest): readonly Uint8Array[];
  tools(snapshot: ToolSnapshot): EncodedTools;
}

/** Fewer tokens of an answer are refused (`integer_below_min_value`). */
const leastTokens = 16;
const mostTools = 128;

const end = encodeJson("]}");

/** An encoder for one model. Every message is serialised once; the beginning of the bytes stays the same from turn to turn. */
export function createRequestEncoder(model: string, reasoning: ReasoningRequest): RequestEncoder {
  const encodeHistory = createHistoryEncoder<EncodedMessage>({
    encode: (message, gate) => encodeMessage(message, model, gate),
    images: imageLimits,
  });
  const encodeTools = createToolEncoder({
    apiName: "OpenAI",
    lower: createSchemaLowering(openaiDialect),
    write: ({ alias, definition }, schema) =>
      `{"type":"function","name":${JSON.stringify(alias)},"description":${JSON.stringify(definition.description)},` +
      `"parameters":${schema},"strict":false}`,
    wrap: (parts) => `"parallel_tool_calls":true,"tools":[${parts.join(",")}],`,
    most: mostTools,
  });
  const cacheKey = createCacheKeys(model);

  /** A body whose first members, behind the model, are `head`. */
  function bodyOf(request: ModelRequest, head: string): EncodedRequest {
    const tools = encodeTools(request.snapshot);
    const { settled, recent, callIds } = encodeHistory(request.messages);
    const [first, ...others] = [...settled, ...recent.map(({ bytes }) => bytes)];
    const instructions =
      request.system.trim() === "" ? "" : `"instructions":${JSON.stringify(request.system)},`;
    const chunks = [
      encodeJson(`{"model":${JSON.stringify(model)},${head}${instructions}`),
      tools.bytes,
      encodeJson('"input":['),
    ];
    // What comes first has no separator in front of it.
    if (first !== undefined) chunks.push(first.subarray(1), ...others);
    chunks.push(end);
    return { chunks, tools, hasCall: (id) => callIds.has(id) };
  }

  return {
    tools: encodeTools,
    encode(request) {
      const limit = Math.max(leastTokens, request.maxTokens);
      const head =
        `"max_output_tokens":${limit},"stream":true,"store":false,` +
        `${reasoning.json()}"prompt_cache_key":"${cacheKey(request)}",`;
      return bodyOf(request, head);
    },
    count: (request) => bodyOf(request, "").chunks,
  };
}
