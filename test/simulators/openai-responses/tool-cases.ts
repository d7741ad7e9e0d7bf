import * as tools from "../../../src/testing/openai-responses/rules/tools.ts";
import { body, object, type RuleCase, schema, tool } from "./bodies.ts";

const invalid = (problem: string): string => `Invalid schema for function 't': ${problem}`;
const many = (count: number) =>
  body({ tools: Array.from({ length: count }, (_, index) => ({ type: "function", name: `t${index}` })) });

export const toolCases: readonly RuleCase[] = [
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
    refused: body({ tools: [{ type: "function", function: { name: "t" } }] }),
    message: "Missing required parameter: 'tools[0].name'.",
    code: "missing_required_parameter",
    accepted: tool({}),
  },
  {
    rule: tools.toolShapes,
    refused: body({ tools: [{ name: "t" }] }),
    message: "Missing required parameter: 'tools[0].type'.",
    accepted: tool({}),
  },
  {
    rule: tools.unknownMembers,
    refused: tool({ input_schema: object({}) }),
    message: "Unknown parameter: 'tools[0].input_schema'.",
    code: "unknown_parameter",
    accepted: tool({ parameters: object({}) }),
  },
  {
    rule: tools.strictIsSwitch,
    refused: tool({ strict: "false" }),
    message: "Invalid type for 'tools[0].strict': expected a boolean, but got a string instead.",
    param: "tools[0].strict",
    code: "invalid_type",
    accepted: tool({ strict: false }),
  },
  {
    rule: tools.shortNames,
    refused: tool({ name: "n".repeat(65) }),
    message:
      "Invalid 'tools[0].name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    param: "tools[0].name",
    code: "string_above_max_length",
    accepted: tool({ name: "n".repeat(64) }),
  },
  {
    rule: tools.namePatterns,
    refused: tool({ name: "files.read" }),
    message:
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    param: "tools[0].name",
    accepted: tool({ name: "files-read" }),
  },
];

export const schemaCases: readonly RuleCase[] = [
  {
    rule: tools.rootType,
    refused: schema({ type: "string" }),
    message: invalid(`schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`),
    param: "tools[0].parameters",
    code: "invalid_function_parameters",
    accepted: schema(object({})),
  },
  {
    rule: tools.rootCombinators,
    refused: schema(object({}, { anyOf: [{}] })),
    message: invalid(
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    ),
    accepted: schema(object({ a: { anyOf: [{}] } })),
  },
  {
    rule: tools.objectProperties,
    refused: schema({ type: "object" }),
    message: invalid("In context=(), object schema missing properties."),
    accepted: schema(object({})),
  },
  {
    rule: tools.arrayItems,
    refused: schema(object({ list: { type: "array" } })),
    message: invalid("In context=('properties', 'list'), array schema missing items."),
    accepted: schema(object({ list: { type: "array", items: {} } })),
  },
  {
    rule: tools.schemaSound,
    refused: schema(object({ a: { type: "text" } })),
    message: invalid("it is not a valid JSON Schema."),
    accepted: schema(object({ a: { type: "string" } })),
  },
  {
    rule: tools.strictSchemas,
    refused: schema(object({ a: {} }, { additionalProperties: false }), { strict: true }),
    message: invalid(
      "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    ),
    accepted: schema(object({ a: {} }, { additionalProperties: false, required: ["a"] }), { strict: true }),
  },
];
