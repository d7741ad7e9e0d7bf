import * as others from "../../../src/testing/openai-chat/rules/other-servers.ts";
import * as schemas from "../../../src/testing/openai-chat/rules/tool-schema.ts";
import * as tools from "../../../src/testing/openai-chat/rules/tools.ts";
import { body, call, object, type RuleCase, result, schema, talk, tool, turn, user } from "./bodies.ts";

const many = (count: number) =>
  body({
    tools: Array.from({ length: count }, (_, index) => ({
      type: "function",
      function: { name: `t${index}` },
    })),
  });

/** Tools whose JSON is so many bytes long. */
function ofSize(bytes: number) {
  const empty = JSON.stringify(tool({ description: "" }).tools).length;
  return tool({ description: "x".repeat(bytes - empty) });
}

export const toolCases: readonly RuleCase[] = [
  {
    rule: tools.someTools,
    refused: body({ tools: [] }),
    message:
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    accepted: many(1),
  },
  {
    rule: tools.fewTools,
    refused: many(129),
    message:
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
    code: "array_above_max_length",
    accepted: many(128),
  },
  {
    rule: tools.toolShapes,
    refused: tool({ input_schema: {} }),
    message: "Unknown parameter: 'tools[0].function.input_schema'.",
    accepted: tool({ strict: null }),
  },
  {
    rule: tools.shortNames,
    refused: tool({ name: "n".repeat(65) }),
    message:
      "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    code: "string_above_max_length",
    accepted: tool({ name: "n".repeat(64) }),
  },
  {
    rule: tools.namePatterns,
    refused: tool({ name: "files/read" }),
    message:
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    code: "invalid_value",
    accepted: tool({ name: "files_read-1" }),
  },
  {
    rule: tools.shortDescriptions,
    refused: tool({ description: "d".repeat(1_025) }),
    message:
      "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1025 instead.",
    accepted: tool({ description: "d".repeat(1_024) }),
  },
  {
    rule: others.grammarSize,
    kind: "llamacpp",
    refused: ofSize(100_026),
    message: "Failed to initialize samplers: failed to parse grammar",
    accepted: ofSize(97_102),
  },
  {
    rule: others.grammarKeywords,
    kind: "llamacpp",
    refused: schema(object({ mail: { type: "string", pattern: "^(?=.*@).+$" } })),
    message: "Failed to initialize samplers: failed to parse grammar",
    accepted: schema(object({ mail: { type: "string", pattern: "^[a-z]+$" } })),
  },
  {
    rule: others.grammarKeywords,
    kind: "lmstudio",
    refused: schema(object({ text: { type: "string", maxLength: 10_000 } })),
    message: "Failed to initialize samplers: failed to parse grammar",
    accepted: schema(object({ text: { type: "string", maxLength: 1_000 } })),
  },
  {
    rule: others.grammarTypes,
    kind: "llamacpp",
    refused: schema(object({ any: { description: "x" } })),
    message: 'JSON schema conversion failed:\nUnrecognized schema: {"description":"x"}',
    accepted: schema(object({ any: { description: "x", type: "string" } })),
  },
];

export const schemaCases: readonly RuleCase[] = [
  {
    rule: schemas.rootType,
    refused: schema({ properties: {} }),
    message: `Invalid schema for function 't': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
    code: "invalid_function_parameters",
    accepted: schema(object({})),
  },
  ...["oneOf", "anyOf", "allOf"].map(
    (keyword): RuleCase => ({
      rule: schemas.rootCombinators,
      refused: schema(object({}, { [keyword]: [{}] })),
      message:
        "Invalid schema for function 't': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
      accepted: schema(object({ a: { [keyword]: [{}] } })),
    }),
  ),
  ...[{ enum: [{}] }, { not: {} }].map(
    (keyword): RuleCase => ({
      rule: schemas.rootCombinators,
      refused: schema(object({}, keyword)),
      message:
        "Invalid schema for function 't': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
      accepted: schema(object({ a: keyword })),
    }),
  ),
  {
    rule: schemas.objectProperties,
    refused: schema({ type: "object" }),
    message: "Invalid schema for function 't': In context=(), object schema missing properties.",
    accepted: schema({ type: "object", properties: {} }),
  },
  {
    rule: schemas.objectProperties,
    refused: schema(object({ opts: { type: "object" } })),
    message:
      "Invalid schema for function 't': In context=('properties', 'opts'), object schema missing properties.",
    accepted: schema(object({ opts: object({}) })),
  },
  {
    rule: schemas.arrayItems,
    refused: schema(object({ tags: { type: "array" } })),
    message:
      "Invalid schema for function 't': In context=('properties', 'tags'), array schema missing items.",
    accepted: schema(object({ tags: { type: "array", items: {} } })),
  },
  {
    rule: schemas.schemaSound,
    refused: schema(object({ a: { type: "text" } })),
    message: "Invalid schema for function 't': it is not a valid JSON Schema.",
    accepted: schema(object({ a: { type: "string" } })),
  },
  {
    rule: schemas.strictSchemas,
    refused: tool({ strict: true, parameters: object({}) }),
    message:
      "Invalid schema for function 't': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    accepted: tool({ strict: true, parameters: object({}, { additionalProperties: false }) }),
  },
  {
    rule: schemas.strictSchemas,
    refused: tool({ strict: true, parameters: object({ a: {} }, { additionalProperties: false }) }),
    message:
      "Invalid schema for function 't': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    accepted: tool({
      strict: true,
      parameters: object({ a: {} }, { additionalProperties: false, required: ["a"] }),
    }),
  },
  {
    rule: schemas.strictSchemas,
    refused: tool({
      strict: true,
      parameters: object({ a: { allOf: [{}] } }, { additionalProperties: false, required: ["a"] }),
    }),
    message: "Invalid schema for function 't': In context=('properties', 'a'), 'allOf' is not permitted.",
    accepted: tool({ parameters: object({ a: { allOf: [{}] } }) }),
  },
];

export const serverCases: readonly RuleCase[] = [
  {
    rule: others.mistralIds,
    kind: "mistral",
    refused: talk(turn(call("call_abcd")), result("call_abcd")),
    message: "Tool call id was call_abcd but must be a-z, A-Z, 0-9, with a length of 9.",
    code: "3280",
    accepted: talk(turn(call("callabcd1")), result("callabcd1")),
  },
  {
    rule: others.mistralOrder,
    kind: "mistral",
    refused: talk(turn(call("callabcd1")), result("callabcd1"), user),
    message: "Unexpected role 'user' after role 'tool'",
    code: "3230",
    accepted: talk(turn(call("callabcd1")), result("callabcd1"), { role: "assistant", content: "x" }, user),
  },
  {
    rule: others.deepseekReasoning,
    kind: "deepseek",
    refused: talk(turn(call()), result()),
    message:
      "Missing `reasoning_content` field in the assistant message at message index 1. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
    accepted: talk({ ...turn(call()), reasoning_content: "" }, result()),
  },
  {
    rule: others.deepseekImages,
    kind: "deepseek",
    refused: talk({
      role: "user",
      content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }],
    }),
    message:
      "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
    accepted: talk({ role: "user", content: [{ type: "text", text: "https://a.example/b.png" }] }),
  },
];
