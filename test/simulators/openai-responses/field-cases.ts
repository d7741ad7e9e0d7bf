import * as fields from "../../../src/testing/openai-responses/rules/fields.ts";
import * as state from "../../../src/testing/openai-responses/rules/state.ts";
import { body, type RuleCase, user } from "./bodies.ts";

const encrypted = { include: ["reasoning.encrypted_content"] };

export const fieldCases: readonly RuleCase[] = [
  {
    rule: fields.requiredModel,
    refused: { input: [user] },
    message: "Missing required parameter: 'model'.",
    code: "missing_required_parameter",
    accepted: body(),
  },
  {
    rule: fields.modelIsText,
    refused: body({ model: null }),
    message: "Invalid type for 'model': expected a string, but got an object instead.",
    code: "invalid_type",
    accepted: body({ model: "null" }),
  },
  {
    rule: fields.requiredInput,
    refused: { model: "gpt-5.6" },
    message: "Missing required parameter: 'input'.",
    param: "input",
    accepted: body(),
  },
  {
    rule: fields.movedFields,
    refused: body({ messages: [user] }),
    message:
      "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.",
    code: "unsupported_parameter",
    accepted: body(),
  },
  {
    rule: fields.unknownFields,
    refused: body({ max_tokens: 100 }),
    message: "Unknown parameter: 'max_tokens'.",
    param: "max_tokens",
    code: "unknown_parameter",
    accepted: body({ max_output_tokens: 100 }),
  },
  {
    rule: fields.inputType,
    refused: body({ input: { a: 1 } }),
    message:
      "Invalid type for 'input': expected one of a string or array of input items, but got an object instead.",
    code: "invalid_type",
    accepted: body({ input: "hi" }),
  },
  {
    rule: fields.inputType,
    refused: body({ input: null }),
    message: "Invalid type for 'input': expected a string, but got an object instead.",
    accepted: body({ input: "hi" }),
  },
  {
    rule: fields.itemsAreObjects,
    refused: body({ input: [7] }),
    message: "Invalid type for 'input[0]': expected an input item, but got an integer instead.",
    code: "invalid_type",
    accepted: body({ input: [user] }),
  },
  {
    rule: fields.includeValues,
    refused: body({ include: ["reasoning"] }),
    message:
      "Invalid value: 'reasoning'. Supported values are: 'file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources', 'message.input_image.image_url', 'computer_call_output.output.image_url', 'code_interpreter_call.outputs', 'reasoning.encrypted_content', and 'message.output_text.logprobs'.",
    param: "include[0]",
    accepted: body(encrypted),
  },
  {
    rule: fields.toolsAreList,
    refused: body({ tools: {} }),
    message: "Invalid type for 'tools': expected an array of objects, but got an object instead.",
    accepted: body({ tools: [] }),
  },
  {
    rule: fields.switches,
    refused: body({ stream: "yes" }),
    message: "Invalid type for 'stream': expected a boolean, but got a string instead.",
    code: "invalid_type",
    accepted: body({ stream: null }),
  },
  {
    rule: fields.tokenLimit,
    refused: body({ max_output_tokens: 15 }),
    message:
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.",
    code: "integer_below_min_value",
    accepted: body({ max_output_tokens: 16 }),
  },
  {
    rule: fields.tokenLimit,
    refused: body({ max_output_tokens: "16" }),
    message: "Invalid type for 'max_output_tokens': expected an integer, but got a string instead.",
    accepted: body({ max_output_tokens: null }),
  },
  {
    rule: fields.shortCacheKey,
    refused: body({ prompt_cache_key: "k".repeat(65) }),
    message:
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    code: "string_above_max_length",
    accepted: body({ prompt_cache_key: "k".repeat(64) }),
  },
  {
    rule: fields.instructionsAreText,
    refused: body({ instructions: ["be brief"] }),
    message: "Invalid type for 'instructions': expected a string, but got an array instead.",
    accepted: body({ instructions: "be brief" }),
  },
];

/** What the API has to know, or the model to be able to. */
export const stateCases: readonly RuleCase[] = [
  {
    rule: state.previousResponse,
    refused: body({ store: false, previous_response_id: "resp_1" }),
    message: "Previous response with id 'resp_1' not found.",
    code: "previous_response_not_found",
    accepted: body({ store: false, previous_response_id: null }),
  },
  {
    rule: state.someInput,
    refused: body({ input: [] }),
    message: `One of "input" or "previous_response_id" or 'prompt' or 'conversation' must be provided.`,
    code: "missing_required_parameter",
    accepted: body({ input: [{ role: "user", content: "" }] }),
  },
  {
    rule: state.encryptedReasoning,
    refused: body({ model: "gpt-4o", ...encrypted }),
    message: "Encrypted content is not supported with this model.",
    param: "include",
    accepted: body({ model: "o4-mini", ...encrypted }),
  },
  {
    rule: state.encryptedReasoning,
    refused: body({ model: "gpt-5-chat-latest", ...encrypted }),
    message: "Encrypted content is not supported with this model.",
    accepted: body({ model: "gpt-5", ...encrypted }),
  },
  {
    rule: state.reasoningSettings,
    refused: body({ model: "gpt-4.1", reasoning: { effort: "low" } }),
    message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    param: "reasoning.effort",
    code: "unsupported_parameter",
    accepted: body({ model: "gpt-5.6", reasoning: { effort: "low" } }),
  },
  {
    rule: state.samplingSettings,
    refused: body({ temperature: 0.5 }),
    message: "Unsupported parameter: 'temperature' is not supported with this model.",
    param: "temperature",
    accepted: body({ model: "gpt-4.1", temperature: 0.5 }),
  },
];
