import { isObject } from "../../../util/own.ts";
import { firstRefusal, tooLong, wrongType } from "../../openai-chat/rules/request-view.ts";
import { missing, type ResponsesRule, unknownParameter, unsupportedValue } from "./request-view.ts";

/** Fields of a request (`ResponseCreateParamsBase` of the official package). */
const requestFields: ReadonlySet<string> = new Set(
  (
    "background context_management conversation frequency_penalty include input instructions max_output_tokens " +
    "max_tool_calls metadata model moderation parallel_tool_calls presence_penalty previous_response_id prompt " +
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store " +
    "stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
  ).split(" "),
);

/** The model has to be named. */
export const requiredModel: ResponsesRule = ({ model }) => (model === undefined ? missing("model") : null);

/** The model's name is text. */
export const modelIsText: ResponsesRule = ({ model }) => {
  if (typeof model === "string") return null;
  return wrongType("model", "a string", model === null ? {} : model);
};

/** There is an input. */
export const requiredInput: ResponsesRule = ({ input }) => (input === undefined ? missing("input") : null);

/** Fields of Chat Completions that have another name here. */
const moved: Readonly<Record<string, string>> = {
  messages: "input",
  max_completion_tokens: "max_output_tokens",
  response_format: "text.format",
  reasoning_effort: "reasoning.effort",
};

/** Fields of Chat Completions. */
export const movedFields: ResponsesRule = (request) => {
  const found = Object.keys(moved).find((name) => Object.hasOwn(request, name));
  if (found === undefined) return null;
  return {
    message:
      `Unsupported parameter: '${found}'. In the Responses API, this parameter has moved to '${moved[found]}'. ` +
      "Try again with the new parameter. See the API documentation for more information: " +
      "https://platform.openai.com/docs/api-reference/responses/create.",
    code: "unsupported_parameter",
  };
};

/** Fields nobody knows. */
export const unknownFields: ResponsesRule = (request) => {
  const unknown = Object.keys(request).find((name) => !requestFields.has(name));
  return unknown === undefined ? null : unknownParameter(unknown);
};

/** The input is a text or a list of items. */
export const inputType: ResponsesRule = ({ input }) => {
  if (typeof input === "string" || Array.isArray(input)) return null;
  const expected = input === null ? "a string" : "one of a string or array of input items";
  return wrongType("input", expected, input === null ? {} : input);
};

const includable: readonly string[] = [
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
];

/** What an answer can hold beside the usual. */
export const includeValues: ResponsesRule = ({ include }) =>
  firstRefusal(Array.isArray(include) ? include : [], (value: unknown, index) =>
    includable.includes(String(value)) ? null : unsupportedValue(`include[${index}]`, value, includable),
  );

const booleans: readonly string[] = ["parallel_tool_calls", "stream", "background", "store"];

/** Switches are on, off or left out. */
export const switches: ResponsesRule = (request) =>
  firstRefusal(booleans, (name) => {
    const value = request[name];
    return value == null || typeof value === "boolean" ? null : wrongType(name, "a boolean", value);
  });

/** Instructions are text. */
export const instructionsAreText: ResponsesRule = ({ instructions: text }) =>
  text == null || typeof text === "string" ? null : wrongType("instructions", "a string", text);

const leastTokens = 16;

/** An answer may have 16 tokens at least. */
export const tokenLimit: ResponsesRule = ({ max_output_tokens: limit }) => {
  if (limit == null) return null;
  if (!Number.isInteger(limit)) return wrongType("max_output_tokens", "an integer", limit);
  if (Number(limit) >= leastTokens) return null;
  return {
    message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastTokens}, but got ${String(limit)} instead.`,
    param: "max_output_tokens",
    code: "integer_below_min_value",
  };
};

const longestKey = 64;

/** The key of the cache is short. */
export const shortCacheKey: ResponsesRule = ({ prompt_cache_key: key }) => {
  if (key == null) return null;
  if (typeof key !== "string") return wrongType("prompt_cache_key", "a string", key);
  return key.length > longestKey ? tooLong("prompt_cache_key", longestKey, key.length) : null;
};

/** Tools are a list. */
export const toolsAreList: ResponsesRule = ({ tools }) =>
  tools == null || Array.isArray(tools) ? null : wrongType("tools", "an array of objects", tools);

/** Items are objects. */
export const itemsAreObjects: ResponsesRule = ({ input }) =>
  firstRefusal(Array.isArray(input) ? input : [], (item: unknown, index) =>
    isObject(item) ? null : wrongType(`input[${index}]`, "an input item", item),
  );
