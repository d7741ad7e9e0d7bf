import type { ModelRequest } from "../../types/model.ts";
import type { ToolSnapshot } from "../../types/tool.ts";
import { createHistoryEncoder } from "../wire/history.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { createToolEncoder, type EncodedTools } from "../wire/tools.ts";
import { familyOf } from "./family.ts";
import { type EncodedGeminiMessage, encodeMessage, imageLimits } from "./message.ts";
import { functionName } from "./names.ts";
import { createParameterLowering } from "./parameters.ts";
import { textPart } from "./turn.ts";

/** Turns requests into bodies of `streamGenerateContent`. */
export interface RequestEncoder {
  encode(request: ModelRequest): EncodedRequest;
  tools(snapshot: ToolSnapshot): EncodedTools;
}

/** Most functions of a request (`Tool.function_declarations` of the API). */
const mostTools = 512;

const end = encodeJson("]}");

/**
 * An encoder for one model. Every message is serialised once; instructions, tools and earlier messages come in this
 * order with the same bytes in every turn, so that the API's implicit cache finds them.
 */
export function createRequestEncoder(model: string): RequestEncoder {
  const family = familyOf(model);
  const encodeHistory = createHistoryEncoder<EncodedGeminiMessage>({
    encode: (message, gate, before) => encodeMessage(message, { model, family, gate }, before),
    images: imageLimits,
  });
  const encodeTools = createToolEncoder({
    apiName: "Gemini",
    lower: createParameterLowering(),
    write({ alias, definition }, parameters) {
      const name = `"name":${JSON.stringify(functionName(alias))}`;
      const told =
        definition.description === "" ? "" : `,"description":${JSON.stringify(definition.description)}`;
      return `{${name}${told}${parameters === "" ? "" : `,${parameters}`}}`;
    },
    wrap: (parts) =>
      `"tools":[{"functionDeclarations":[${parts.join(",")}]}],` +
      '"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},',
    most: mostTools,
  });
  const thinking = family.thinks ? ',"thinkingConfig":{"includeThoughts":true}' : "";
  return {
    tools: encodeTools,
    encode({ system, snapshot, messages, maxTokens }) {
      const tools = encodeTools(snapshot);
      const { settled, recent, callIds } = encodeHistory(messages);
      const [first, ...others] = [...settled, ...recent.map(({ bytes }) => bytes)];
      const instruction = system.trim() === "" ? "" : `"systemInstruction":{"parts":[${textPart(system)}]},`;
      const chunks = [
        encodeJson(`{${instruction}`),
        tools.bytes,
        encodeJson(`"generationConfig":{"maxOutputTokens":${maxTokens}${thinking}},"contents":[`),
      ];
      // What comes first has no separator in front of it.
      if (first !== undefined) chunks.push(first.subarray(1), ...others);
      chunks.push(end);
      return { chunks, tools, hasCall: (id) => callIds.has(id) };
    },
  };
}
