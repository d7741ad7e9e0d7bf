import * as fields from "../../../src/testing/anthropic/rules/fields.ts";
import type { Rule } from "../../../src/testing/anthropic/rules/request-view.ts";
import { dialect } from "../../../src/testing/anthropic/rules/tool-schema.ts";
import * as tools from "../../../src/testing/anthropic/rules/tools.ts";
import { asking, type RefusalCase, request, schema, text, tool, user } from "./requests.ts";

const without = (name: string): object =>
  Object.fromEntries(Object.entries(request()).filter(([field]) => field !== name));

/** Rule, its function, what is looked at, smallest refused request, its literal message, nearest accepted neighbour. */
const rows: readonly [number, Rule, string, object, string, object][] = [
  [1, fields.requiredFields, "max_tokens", without("max_tokens"), "max_tokens: Field required", request()],
  [1, fields.requiredFields, "model", without("model"), "model: Field required", request()],
  [1, fields.requiredFields, "messages", without("messages"), "messages: Field required", request()],
  [
    2,
    fields.unknownFields,
    "request",
    asking({ seed: 1 }),
    "seed: Extra inputs are not permitted",
    asking({ top_k: 1 }),
  ],
  [
    2,
    fields.unknownFields,
    "tool",
    asking({ tools: [tool({ title: "T" })] }),
    "tools.0.custom.title: Extra inputs are not permitted",
    asking({ tools: [tool({ description: "T" })] }),
  ],
  [
    2,
    fields.unknownFields,
    "block",
    request([user(text("a", { annotations: {} }))]),
    "messages.0.content.0.text.annotations: Extra inputs are not permitted",
    request([user(text("a"))]),
  ],
  [
    3,
    tools.toolNames,
    "name",
    asking({ tools: [tool({ name: "a.b" })] }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    asking({ tools: [tool({ name: "a-b" })] }),
  ],
  [
    4,
    tools.uniqueToolNames,
    "unique names",
    asking({ tools: [tool(), tool()] }),
    "tools: Tool names must be unique.",
    asking({ tools: [tool(), tool({ name: "u" })] }),
  ],
  [
    5,
    tools.rootCombinators,
    "root combinator",
    schema({ anyOf: [{ required: ["a"] }] }),
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    schema({ properties: { a: { anyOf: [{ type: "string" }] } } }),
  ],
  [
    6,
    dialect,
    "items as a list",
    schema({ properties: { a: { type: "array", items: [{ type: "string" }] } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { type: "array", prefixItems: [{ type: "string" }] } } }),
  ],
  [
    6,
    dialect,
    "boolean exclusiveMinimum",
    schema({ properties: { a: { minimum: 1, exclusiveMinimum: true } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { exclusiveMinimum: 1 } } }),
  ],
  [
    6,
    dialect,
    "dangling reference",
    schema({ properties: { a: { $ref: "#/$defs/A" } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: {} } }),
  ],
  [
    7,
    tools.propertyKeys,
    "property key",
    schema({ properties: { "types[]": {} } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    schema({ properties: { "types.": {} } }),
  ],
  [
    7,
    tools.propertyKeys,
    "nested property key",
    schema({ properties: { a: { properties: { $filter: {} } } } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    schema({ properties: { a: { patternProperties: { "^\\$": {} } } } }),
  ],
  [
    0,
    fields.fieldTypes,
    "limit of the answer",
    asking({ max_tokens: 0 }),
    "max_tokens: Input should be greater than or equal to 1",
    asking({ max_tokens: 1 }),
  ],
  [
    0,
    fields.messageShapes,
    "role",
    request([{ role: "tool", content: "x" }]),
    "messages.0.role: Input should be 'user', 'assistant' or 'system'",
    request([{ role: "user", content: "x" }]),
  ],
  [
    0,
    tools.toolShapes,
    "type of a schema",
    asking({ tools: [tool({ input_schema: { type: "array" } })] }),
    "tools.0.custom.input_schema.type: Input should be 'object'",
    asking({ tools: [tool({ input_schema: { type: "object" } })] }),
  ],
];

/** Rules 1 to 7: fields and tools. */
export const toolCases: readonly RefusalCase[] = rows.map(
  ([rule, check, name, refused, message, accepted]) => ({ rule, check, name, refused, message, accepted }),
);
