import type { WireObject } from "../../wire-server/api.ts";
import {
  type ChatRule,
  callsOf,
  firstRefusal,
  functionsOf,
  objectsOf,
  type RuleRefusal,
} from "./request-view.ts";
import { nodesOf } from "./tool-schema.ts";

/** Mistral: ids of calls are nine letters and digits. */
export const mistralIds: ChatRule = (request, kind) => {
  if (kind !== "mistral") return null;
  const ids = [
    ...callsOf(request).map(({ call }) => String(call.id)),
    ...objectsOf(request.messages).flatMap(({ tool_call_id: id }) => (typeof id === "string" ? [id] : [])),
  ];
  const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  if (bad === undefined) return null;
  return {
    message: `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
    type: "invalid_function_call",
    code: "3280",
  };
};

/** Mistral: no message of the user directly behind tool results. */
export const mistralOrder: ChatRule = ({ messages }, kind) => {
  if (kind !== "mistral") return null;
  const list = objectsOf(messages);
  return firstRefusal(list, ({ role }, index) =>
    role === "user" && list[index - 1]?.role === "tool"
      ? {
          message: "Unexpected role 'user' after role 'tool'",
          type: "invalid_request_message_order",
          code: "3230",
        }
      : null,
  );
};

/** DeepSeek: what a turn thought comes back with its calls. */
export const deepseekReasoning: ChatRule = ({ messages }, kind) =>
  firstRefusal(kind === "deepseek" ? objectsOf(messages) : [], (message, index) =>
    objectsOf(message.tool_calls).length > 0 && typeof message.reasoning_content !== "string"
      ? {
          message: `Missing \`reasoning_content\` field in the assistant message at message index ${index}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`,
          code: "invalid_request_error",
        }
      : null,
  );

/** DeepSeek: no images, wherever they stand. */
export const deepseekImages: ChatRule = ({ messages }, kind) =>
  firstRefusal(kind === "deepseek" ? objectsOf(messages) : [], ({ content }, index) =>
    Array.isArray(content) && objectsOf(content).some(({ type }) => type === "image_url")
      ? {
          message: `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\``,
          code: "invalid_request_error",
        }
      : null,
  );

/** llama.cpp: 97,102 bytes of tools became a grammar, 100,026 did not. */
const grammarBytes = 98_000;
const longestRepetition = 2_000;
const grammarRefusal: RuleRefusal = {
  message: "Failed to initialize samplers: failed to parse grammar",
  type: "invalid_request_error",
};

/** llama.cpp: all tools together fit into one grammar. */
export const grammarSize: ChatRule = ({ tools }, kind) => {
  if (kind !== "llamacpp" || tools === undefined) return null;
  return Buffer.byteLength(JSON.stringify(tools)) > grammarBytes ? grammarRefusal : null;
};

/** llama.cpp: every pattern and every repetition has a form in a grammar. */
export const grammarKeywords: ChatRule = (request, kind) => {
  if (kind !== "llamacpp" && kind !== "lmstudio") return null;
  return firstRefusal(functionsOf(request), ({ definition }) =>
    nodesOf(definition.parameters).every(({ schema }) => keywordsFit(schema)) ? null : grammarRefusal,
  );
};

const shaping: readonly string[] =
  "$ref oneOf anyOf allOf const enum properties additionalProperties items prefixItems".split(" ");

/** llama.cpp: a schema says what it is of; only an empty one is known without. */
export const grammarTypes: ChatRule = (request, kind) =>
  firstRefusal(kind === "llamacpp" ? functionsOf(request) : [], ({ definition }) => {
    const odd = nodesOf(definition.parameters).find(
      ({ schema }) =>
        schema.type === undefined &&
        Object.keys(schema).length > 0 &&
        !shaping.some((name) => Object.hasOwn(schema, name)),
    );
    if (odd === undefined) return null;
    const message = `JSON schema conversion failed:\nUnrecognized schema: ${JSON.stringify(odd.schema)}`;
    return { message, type: "invalid_request_error" };
  });

function keywordsFit(schema: WireObject): boolean {
  const { pattern } = schema;
  if (typeof pattern === "string" && !/^\^[^()]*\$$/.test(pattern)) return false;
  return ["minLength", "maxLength", "minItems", "maxItems"].every((name) => {
    const count = schema[name];
    return typeof count !== "number" || count <= longestRepetition;
  });
}
