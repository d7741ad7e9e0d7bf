import * as calls from "../../../src/testing/openai-chat/rules/calls.ts";
import * as fields from "../../../src/testing/openai-chat/rules/fields.ts";
import * as messages from "../../../src/testing/openai-chat/rules/messages.ts";
import * as pairing from "../../../src/testing/openai-chat/rules/pairing.ts";
import { body, call, type RuleCase, result, talk, tool, turn, user } from "./bodies.ts";

const image = (url: string) => talk({ role: "user", content: [{ type: "image_url", image_url: { url } }] });

export const fieldCases: readonly RuleCase[] = [
  {
    rule: fields.requiredFields,
    refused: { model: "gpt-4o" },
    message: "Missing required parameter: 'messages'.",
    code: "missing_required_parameter",
    accepted: body(),
  },
  {
    rule: fields.fieldTypes,
    refused: body({ model: 4 }),
    message: "Invalid type for 'model': expected a string, but got an integer instead.",
    code: "invalid_type",
    accepted: body({ model: "4" }),
  },
  {
    rule: fields.mistralFields,
    kind: "mistral",
    refused: body({ stream: true, stream_options: { include_usage: true } }),
    message: "Extra inputs are not permitted",
    status: 422,
    accepted: body({ stream: true }),
  },
  {
    rule: fields.unknownFields,
    refused: body({ num_ctx: 4096 }),
    message: "Unrecognized request argument supplied: num_ctx",
    accepted: body({ seed: 1 }),
  },
  {
    rule: fields.someMessages,
    refused: body({ messages: [] }),
    message:
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    code: "empty_array",
    accepted: body({ messages: [user] }),
  },
  {
    rule: fields.unknownMessageFields,
    refused: talk({ role: "assistant", content: "x", reasoning_content: "hm" }),
    message: "Unknown parameter: 'messages[1].reasoning_content'.",
    code: "unknown_parameter",
    accepted: talk({ role: "assistant", content: "x", refusal: null }),
  },
  {
    rule: fields.streamOptions,
    refused: body({ stream_options: { include_usage: true } }),
    message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    accepted: body({ stream: true, stream_options: { include_usage: true } }),
  },
  {
    rule: fields.tokenLimit,
    refused: body({ model: "gpt-5", max_tokens: 10 }),
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    code: "unsupported_parameter",
    accepted: body({ model: "gpt-5", max_completion_tokens: 10 }),
  },
  {
    rule: fields.tokenLimit,
    refused: body({ max_tokens: 0 }),
    message: "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    code: "integer_below_min_value",
    accepted: body({ max_tokens: 1 }),
  },
  {
    rule: fields.toolFieldsNeedTools,
    refused: body({ parallel_tool_calls: true }),
    message:
      "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
    accepted: { ...tool({}), parallel_tool_calls: true },
  },
];

export const messageCases: readonly RuleCase[] = [
  {
    rule: messages.messageRoles,
    refused: talk({ role: "model", content: "x" }),
    message:
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    accepted: talk({ role: "developer", content: "x" }),
  },
  {
    rule: messages.messageContent,
    refused: talk({ role: "assistant", content: null }),
    message: "Invalid value for 'content': expected a string, got null.",
    accepted: talk(turn(call()), result()),
  },
  {
    rule: messages.messageContent,
    refused: talk({ role: "user", content: [] }),
    message:
      "Invalid 'messages[1].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    accepted: talk({ role: "user", content: "" }),
  },
  {
    rule: messages.contentParts,
    refused: talk(
      turn(call()),
      result("call_1", [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }]),
    ),
    message:
      "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    accepted: talk(turn(call()), result("call_1", [{ type: "text", text: "x" }])),
  },
  {
    rule: messages.imageUrls,
    refused: image("data:image/svg+xml;base64,PHN2Zy8+"),
    message:
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    accepted: image("data:image/png;base64,PHN2Zy8+"),
  },
  {
    rule: messages.imageUrls,
    refused: image("data:image/png;base64,"),
    message: "Invalid base64 image_url.",
    accepted: image("data:image/png;base64,AAAA"),
  },
];

export const callCases: readonly RuleCase[] = [
  {
    rule: calls.someCalls,
    refused: talk({ role: "assistant", content: "x", tool_calls: [] }),
    message:
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    accepted: talk({ role: "assistant", content: "x" }),
  },
  {
    rule: calls.callShapes,
    refused: talk(turn({ id: "call_1", function: { name: "t", arguments: "{}" } }), result()),
    message: "Missing required parameter: 'messages[1].tool_calls[0].type'.",
    accepted: talk(turn(call()), result()),
  },
  {
    rule: calls.argumentsAreText,
    refused: talk(turn(call("call_1", { arguments: {} })), result()),
    message:
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    code: "invalid_type",
    accepted: talk(turn(call("call_1", { arguments: "no json" })), result()),
  },
  {
    rule: calls.shortIds,
    refused: talk(turn(call("c".repeat(41))), result("c".repeat(41))),
    message:
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    code: "string_above_max_length",
    accepted: talk(turn(call("c".repeat(40))), result("c".repeat(40))),
  },
  {
    rule: calls.calledNames,
    refused: talk(turn(call("call_1", { name: "files.read" })), result()),
    message:
      "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    accepted: talk(turn(call("call_1", { name: "files__read" })), result()),
  },
  {
    rule: calls.argumentsAreObjects,
    kind: "ollama",
    refused: talk(turn(call("call_1", { arguments: "[1]" })), result()),
    message: "invalid tool call arguments",
    accepted: talk(turn(call("call_1", { arguments: "{}" })), result()),
  },
  {
    rule: pairing.resultsNameCalls,
    refused: talk(turn(call()), { role: "tool", content: "ok" }),
    message: "Missing required parameter: 'messages[2].tool_call_id'.",
    accepted: talk(turn(call()), result()),
  },
  {
    rule: pairing.noOrphans,
    refused: talk(result()),
    message:
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    accepted: talk(turn(call()), result()),
  },
  {
    rule: pairing.resultsBelong,
    refused: talk(turn(call()), result(), result("call_2")),
    message: "Invalid parameter: 'tool_call_id' of 'call_2' not found in 'tool_calls' of previous message.",
    accepted: talk(turn(call(), call("call_2")), result("call_2"), result()),
  },
  {
    rule: pairing.callsAnswered,
    refused: talk(turn(call(), call("call_2")), result(), user),
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2",
    accepted: talk(turn(call(), call("call_2")), result(), result("call_2"), user),
  },
];
