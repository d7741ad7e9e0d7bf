import type { ModelRequest } from "../../types/model.ts";
import type { ToolSnapshot } from "../../types/tool.ts";
import { createSchemaLowering } from "../schema/lower.ts";
import { createHistoryEncoder } from "../wire/history.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { createCacheKeys } from "../wire/prompt-cache-key.ts";
import { createToolEncoder, type EncodedTools } from "../wire/tools.ts";
import { type EncodedChatMessage, encodeMessage, imageLimits } from "./message.ts";
import type { ChatProfile } from "./profile.ts";
import { toolJson } from "./tool.ts";

/** Turns requests into bodies of Chat Completions. */
export interface RequestEncoder {
  encode(request: ModelRequest): EncodedRequest;
  tools(snapshot: ToolSnapshot): EncodedTools;
}

const end = encodeJson("]}");

/** An encoder for one model. Every message is serialised once; the beginning of the bytes stays the same from turn to turn. */
export function createRequestEncoder(profile: ChatProfile, model: string): RequestEncoder {
  const encodeHistory = createHistoryEncoder<EncodedChatMessage>({
    encode: (message, gate, before) => encodeMessage(message, { profile, model, gate }, before),
    images: imageLimits,
  });
  const encodeTools = createToolEncoder({
    apiName: profile.title,
    lower: createSchemaLowering(profile.dialect),
    write: ({ alias, definition }, schema) => toolJson(alias, definition.description, schema, profile),
    wrap: (parts) => `"tools":[${parts.join(",")}],`,
    ...(profile.mostTools === undefined ? {} : { most: profile.mostTools }),
    ...(profile.mostToolBytes === undefined ? {} : { mostBytes: profile.mostToolBytes }),
  });
  const cacheKey = profile.promptCacheKey ? createCacheKeys(model) : null;
  return {
    tools: encodeTools,
    encode(request) {
      const tools = encodeTools(request.snapshot);
      const { settled, recent, callIds } = encodeHistory(request.messages);
      const [first, ...others] = [...settled, ...recent.map(({ bytes }) => bytes)];
      const key = cacheKey === null ? "" : `"prompt_cache_key":"${cacheKey(request)}",`;
      const system = systemMessage(request.system);
      const parallel =
        profile.parallelToolCalls === null || tools.bytes.length === 0
          ? ""
          : `"parallel_tool_calls":${profile.parallelToolCalls},`;
      const chunks = [
        encodeJson(`${head(profile, model, request.maxTokens)}${key}${parallel}`),
        tools.bytes,
        encodeJson(`"messages":[${system}`),
      ];
      // What comes first has no separator in front of it.
      if (first !== undefined) chunks.push(system === "" ? first.subarray(1) : first, ...others);
      chunks.push(end);
      return { chunks, tools, hasCall: (id) => callIds.has(id) };
    },
  };
}

function head(profile: ChatProfile, model: string, maxTokens: number): string {
  const usage = profile.asksUsage ? '"stream_options":{"include_usage":true},' : "";
  return `{"model":${JSON.stringify(model)},"${profile.maxTokensField}":${maxTokens},"stream":true,${usage}`;
}

function systemMessage(text: string): string {
  return text.trim() === "" ? "" : `{"role":"system","content":${JSON.stringify(text)}}`;
}
