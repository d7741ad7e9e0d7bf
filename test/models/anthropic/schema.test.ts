import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerInputSchema } from "../../../src/models/anthropic/schema.ts";
import { validateMessagesRequest } from "../../../src/testing/anthropic/validate.ts";
import type { Json, JsonObject } from "../../../src/types/json.ts";
import { soundSchema, soundValue, wildSchema } from "../schemas.ts";

function refusal(schema: JsonObject): string | null {
  const input_schema = JSON.parse(lowerInputSchema(schema).json) as object;
  const body = {
    model: "claude-opus-5",
    max_tokens: 1,
    messages: [{ role: "user", content: "x" }],
    tools: [{ name: "t", input_schema }],
  };
  return validateMessagesRequest(body)?.message ?? null;
}

const lowered = (schema: JsonObject): JsonObject => JSON.parse(lowerInputSchema(schema).json) as JsonObject;

interface ToolsCase {
  readonly id: string;
  readonly type: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: JsonObject }[];
}

const cases = join(import.meta.dirname, "../../cases");
const schemaCases = readdirSync(cases)
  .filter((name) => /^SC\d+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(join(cases, name), "utf8")) as ToolsCase)
  .filter(({ type, tools }) => type === "tools" && tools.length > 0);

test.each(schemaCases)("schemas of $id are taken", ({ tools }) => {
  for (const { inputSchema } of tools) expect(refusal(inputSchema)).toBeNull();
});

test("branches at the root become one object that says what belongs together", () => {
  const schema = {
    type: "object",
    description: "Finds an order.",
    properties: { order_id: { type: "string" } },
    oneOf: [
      { required: ["order_id"] },
      { required: ["email"], properties: { email: { type: "string" }, kind: { const: 1 } } },
      { required: ["email"], properties: { email: { type: "null" } } },
    ],
  };
  expect(lowered(schema)).toEqual({
    type: "object",
    description: "Finds an order.\n\nGive exactly one of: order_id, or email, or email.",
    properties: {
      order_id: { type: "string" },
      email: { anyOf: [{ type: "string" }, { type: "null" }, {}] },
      kind: { anyOf: [{ const: 1 }, {}] },
    },
    required: [],
  });
});

test("a rule about names goes where a name is sent differently, and one of several is then any of several", () => {
  const branches = [{ type: "null" }, { type: "object", propertyNames: { pattern: "^[a-z]$" } }];
  const { properties } = lowered({ type: "object", properties: { a: { oneOf: branches }, "b c": {} } });
  expect(properties).toHaveProperty("a", { anyOf: [{ type: "null" }, { type: "object" }] });
});

test("what all parts of the root require stays required", () => {
  const schema = {
    allOf: [
      { $ref: "#/$defs/Base" },
      { properties: { id: { maxLength: 3 } }, required: ["kind"] },
      { anyOf: [{ required: ["a", "b"] }, { required: ["b", "c"] }] },
    ],
    $defs: { Base: { properties: { id: { type: "string" } }, required: ["id"] } },
  };
  const found = lowered(schema);
  expect(found.required).toEqual(["id", "kind", "b"]);
  expect(found.properties).toEqual({ id: { allOf: [{ type: "string" }, { maxLength: 3 }] } });
});

test("a root that is a reference is put in place of it, and a circle of references ends", () => {
  const self = {
    $ref: "#/$defs/Node",
    $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
  };
  expect(lowered(self)).toMatchObject({
    type: "object",
    properties: { next: { $ref: "#/$defs/Node" } },
    $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } },
  });
  expect(refusal(self)).toBeNull();
  const circle = { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } };
  expect(refusal(circle)).toBeNull();
});

test("shapes of older drafts are written as draft 2020-12 writes them", () => {
  const schema = {
    type: "object",
    properties: {
      pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
      count: { type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      flag: { type: "boolean", required: true },
      kind: { type: "any" },
    },
    dependencies: { pair: ["count"], flag: { required: ["kind"] } },
  };
  expect(lowered(schema as JsonObject)).toEqual({
    type: "object",
    properties: {
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
      count: { type: "integer", exclusiveMinimum: 1, maximum: 9 },
      flag: { type: "boolean" },
      kind: {},
    },
    dependentRequired: { pair: ["count"] },
    dependentSchemas: { flag: { required: ["kind"] } },
  });
});

test("references that lead nowhere become schemas that allow everything", () => {
  const schema = {
    type: "object",
    properties: {
      gone: { $ref: "#/$defs/Gone" },
      away: { $ref: "https://example.org/schema.json", description: "Elsewhere." },
      here: { $ref: "#/$defs/Here" },
    },
    $defs: { Here: { type: "string" } },
  };
  expect(lowered(schema).properties).toEqual({
    gone: {},
    away: { description: "Elsewhere." },
    here: { $ref: "#/$defs/Here" },
  });
});

test("a part that had to be widened does not make its surroundings narrower", () => {
  const odd = { $ref: "#/$defs/Gone" };
  const schema = {
    type: "object",
    properties: {
      not: { not: odd },
      one: { oneOf: [odd, { type: "string" }] },
      when: JSON.parse(
        '{"if":{"$ref":"#/$defs/Gone"},"then":{"type":"string"},"else":{"type":"number"}}',
      ) as JsonObject,
    },
  };
  expect(lowered(schema).properties).toEqual({
    not: {},
    one: { anyOf: [{}, { type: "string" }] },
    when: {},
  });
});

test("a schema too large or too deep is replaced by any object", () => {
  const large = { type: "object", properties: { a: { enum: ["x".repeat(300_000)] } } };
  let deep: JsonObject = { type: "string" };
  for (let level = 0; level < 10_000; level += 1) deep = { items: deep };
  for (const schema of [large, { type: "object", properties: { deep } }]) {
    expect(lowered(schema)).toEqual({ type: "object", properties: {} });
  }
});

test("the same object is lowered once, and key order does not change the bytes", () => {
  const schema = { type: "object", properties: { b: { type: "string" }, a: {} } };
  expect(lowerInputSchema(schema)).toBe(lowerInputSchema(schema));
  const other = { properties: { a: {}, b: { type: "string" } }, type: "object" };
  expect(lowerInputSchema(other).json).toBe(lowerInputSchema(schema).json);
});

test("no schema, however wild, is refused once it is lowered", () => {
  fc.assert(
    fc.property(wildSchema, (schema) => {
      expect(refusal(schema)).toBeNull();
    }),
    { numRuns: 1000 },
  );
});

test("arguments that the original allows are allowed by the lowered schema", () => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
  const isValid = (schema: JsonObject, value: unknown): boolean => {
    try {
      return ajv.compile(schema)(value);
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(soundSchema, soundValue, (node, value) => {
      const schema = { type: "object", properties: { v: node }, $defs: { x: { type: "string" } } };
      if (!isValid(schema, { v: value })) return;
      const { json, originals } = lowerInputSchema(schema);
      const sent = new Map([...originals].map(([name, original]) => [original, name]));
      const renamed = JSON.parse(JSON.stringify({ v: value }), (_, member: Json) =>
        typeof member === "object" && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).map(([key, item]) => [sent.get(key) ?? key, item]))
          : member,
      ) as unknown;
      expect(isValid(JSON.parse(json) as JsonObject, renamed)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("a pattern that is no regular expression is left out, and what depends on it; one of the old syntax is rewritten", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string", pattern: "[" },
      b: { type: "string", pattern: "^[\\w-.]+$" },
      c: { type: "object", patternProperties: { "(": {} }, additionalProperties: false },
      d: { not: { pattern: "(" } },
    },
  };
  expect(lowered(schema).properties).toEqual({
    a: { type: "string" },
    b: { type: "string", pattern: "^[\\w\\-.]+$" },
    c: { type: "object" },
    d: {},
  });
});
