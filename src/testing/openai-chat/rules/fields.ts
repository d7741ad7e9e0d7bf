import { isObject } from "../../../util/own.ts";
import { type ChatRule, firstRefusal, objectsOf, wrongType } from "./request-view.ts";

/** Fields of a request (`ChatCompletionCreateParamsBase` of the official package). */
const requestFields: ReadonlySet<string> = new Set(
  (
    "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens " +
    "max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key " +
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed " +
    "service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity " +
    "web_search_options"
  ).split(" "),
);

const messageFields: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(["role", "content", "name"]),
  developer: new Set(["role", "content", "name"]),
  user: new Set(["role", "content", "name"]),
  assistant: new Set("role content name refusal audio tool_calls function_call annotations".split(" ")),
  tool: new Set(["role", "content", "tool_call_id", "name"]),
};

/** Fields of a turn that servers of their own kind take beside OpenAI's. */
const echoFields: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "prefix",
]);

/** Model and messages have to be there. */
export const requiredFields: ChatRule = (request) => {
  if (request.model === undefined) return { message: "you must provide a model parameter" };
  if (request.messages === undefined) {
    const param = "messages";
    return { message: "Missing required parameter: 'messages'.", param, code: "missing_required_parameter" };
  }
  return null;
};

/** The types of fields whose wrong type is no matter of other rules. */
export const fieldTypes: ChatRule = ({ model, messages, tools }) => {
  if (typeof model !== "string") return wrongType("model", "a string", model);
  if (!Array.isArray(messages)) return wrongType("messages", "an array of objects", messages);
  if (tools !== undefined && !Array.isArray(tools)) return wrongType("tools", "an array of objects", tools);
  return firstRefusal(messages, (message, index) =>
    isObject(message) ? null : wrongType(`messages[${index}]`, "an object", message),
  );
};

/** Fields nobody knows. */
export const unknownFields: ChatRule = (request) => {
  const unknown = Object.keys(request).find((name) => !requestFields.has(name));
  if (unknown === undefined) return null;
  return { message: `Unrecognized request argument supplied: ${unknown}`, param: unknown };
};

/** Mistral knows fewer fields, and answers 422. */
export const mistralFields: ChatRule = (request, kind) => {
  if (kind !== "mistral") return null;
  const foreign = ["stream_options", "max_completion_tokens", "prompt_cache_key", "store"];
  const found = foreign.find((name) => Object.hasOwn(request, name));
  if (found === undefined) return null;
  return { message: "Extra inputs are not permitted", param: found, code: "extra_forbidden", status: 422 };
};

/** Fields nobody knows in a message. */
export const unknownMessageFields: ChatRule = ({ messages }, kind) =>
  firstRefusal(objectsOf(messages), (message, index) => {
    const known = messageFields[String(message.role)];
    const unknown = Object.keys(message).find(
      (name) => known !== undefined && !known.has(name) && !(kind !== "openai" && echoFields.has(name)),
    );
    if (unknown === undefined) return null;
    const param = `messages[${index}].${unknown}`;
    return { message: `Unknown parameter: '${param}'.`, param, code: "unknown_parameter" };
  });

/** There are no messages without one. */
export const someMessages: ChatRule = ({ messages }) =>
  Array.isArray(messages) && messages.length === 0
    ? {
        message:
          "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        param: "messages",
        code: "empty_array",
      }
    : null;

/** `stream_options` belongs to a stream. */
export const streamOptions: ChatRule = ({ stream, stream_options: options }) =>
  options != null && stream !== true
    ? {
        message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        param: "stream_options",
      }
    : null;

/** Models that count their reasoning against the limit take it under one name only. */
const reasoningModel = /^(?:o\d|gpt-[5-9])/;

/** The limit of the answer: one field, at least 1. */
export const tokenLimit: ChatRule = ({ model, max_tokens: old, max_completion_tokens: limit }, kind) => {
  if (old != null && limit != null) {
    return {
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      code: "invalid_parameter_combination",
    };
  }
  if (kind === "openai" && old != null && reasoningModel.test(String(model))) {
    return {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: "max_tokens",
      code: "unsupported_parameter",
    };
  }
  const name = old != null ? "max_tokens" : "max_completion_tokens";
  const value = old ?? limit;
  if (value == null) return null;
  if (!Number.isInteger(value)) return wrongType(name, "an integer", value);
  if (Number(value) >= 1) return null;
  return {
    message: `Invalid '${name}': integer below minimum value. Expected a value >= 1, but got ${String(value)} instead.`,
    param: name,
    code: "integer_below_min_value",
  };
};

/** What is about tools needs some. */
export const toolFieldsNeedTools: ChatRule = (request) => {
  if (request.tools !== undefined) return null;
  const found = ["tool_choice", "parallel_tool_calls"].find((name) => request[name] !== undefined);
  if (found === undefined) return null;
  return {
    message: `Invalid value for '${found}': '${found}' is only allowed when 'tools' are specified.`,
    param: found,
  };
};
