import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createParameterLowering } from "../../../src/models/gemini/parameters.ts";
import { validateGeminiRequest } from "../../../src/testing/gemini/validate.ts";
import type { Json, JsonObject } from "../../../src/types/json.ts";
import { isObject } from "../../../src/util/own.ts";
import { soundSchema, soundValue, wildSchema } from "../schemas.ts";

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });

function isValid(schema: JsonObject, value: unknown): boolean {
  try {
    return ajv.compile(schema)(value);
  } catch {
    return false;
  }
}

/** The fields of a function's declaration that hold its parameters. */
function lowered(schema: JsonObject): JsonObject {
  const { json } = createParameterLowering()(schema);
  return JSON.parse(`{${json}}`) as JsonObject;
}

const properties = (members: JsonObject, extra: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: members,
  ...extra,
});

function asks(fields: JsonObject): object {
  return {
    contents: [{ role: "user", parts: [{ text: "go" }] }],
    tools: [{ functionDeclarations: [{ name: "t", ...fields }] }],
  };
}

/** `nullable` of the API's `Schema`: JSON Schema does not know it. */
function withNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNulls);
  if (!isObject(value)) return value;
  const { nullable, ...rest } = value as JsonObject;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNulls(member)]));
  return nullable === true ? { anyOf: [{ type: "null" }, plain] } : plain;
}

test("what the API's own Schema can say goes into parameters, with its words for it", () => {
  const schema = properties(
    {
      tags: { type: ["array", "null"], items: { type: "string" } },
      count: { anyOf: [{ type: "integer", exclusiveMinimum: 0 }, { type: "null" }], default: null },
      kind: { const: "a" },
      at: { type: "string", format: "date-time" },
      url: { type: "string", format: "uri", pattern: "^h" },
      place: { allOf: [{ $ref: "#/$defs/Place" }], description: "Where." },
    },
    {
      additionalProperties: false,
      required: ["kind"],
      $schema: "http://json-schema.org/draft-07/schema#",
      $defs: { Place: { type: "object", properties: { city: { type: "string" } } } },
    },
  );
  expect(lowered(schema)).toEqual({
    parameters: properties(
      {
        tags: { type: "array", nullable: true, items: { type: "string" } },
        count: { type: "integer", nullable: true, minimum: 1 },
        kind: { type: "string", enum: ["a"] },
        at: { type: "string", format: "date-time" },
        url: { type: "string", description: "(format: uri; pattern: ^h)" },
        place: { type: "object", description: "Where.", properties: { city: { type: "string" } } },
      },
      { required: ["kind"] },
    ),
  });
});

test("maps, tuples, enums of numbers and anything go into parametersJsonSchema, which knows them", () => {
  for (const member of [
    { type: "object", additionalProperties: { type: "string" } },
    { type: "array", prefixItems: [{ type: "string" }] },
    { enum: [1, 2] },
    { oneOf: [{ type: "string" }, { type: "integer" }] },
    { type: "object" },
    {},
  ] as JsonObject[]) {
    const fields = lowered(properties({ a: member }));
    expect(Object.keys(fields)).toEqual(["parametersJsonSchema"]);
    expect((fields.parametersJsonSchema as { properties: JsonObject }).properties.a).toMatchObject(member);
    expect(validateGeminiRequest(asks(fields))).toBeNull();
  }
});

test("a tool without parameters has none, and a parameter that nothing follows takes anything", () => {
  expect(lowered({ type: "object" })).toEqual({});
  expect(lowered({ type: "object", properties: {}, additionalProperties: false })).toEqual({});
  expect(lowered(properties({ not: false, a: { items: false } }))).toEqual({
    parametersJsonSchema: properties({ not: {}, a: { items: {} } }),
  });
});

test("names of parameters that the API does not take are mapped, and mapped back", () => {
  const lower = createParameterLowering();
  const { json, originals, restore } = lower(
    properties({ "1a": { type: "string" }, "b.c": { type: "string" }, d_1: { type: "string" } }),
  );
  const names = Object.keys(JSON.parse(`{${json}}`).parameters.properties);
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
  expect(new Set(originals.values())).toEqual(new Set(["1a", "b.c"]));
  const sent = [...originals].find(([, original]) => original === "1a")?.[0];
  expect(restore(`{"${sent}":"x"}`)).toBe('{"1a":"x"}');
});

test("for any schema the API takes the tool", () => {
  fc.assert(
    fc.property(fc.oneof(wildSchema, soundSchema), fc.boolean(), (written, inside) => {
      const schema = JSON.parse(JSON.stringify(written)) as JsonObject;
      const tool = inside ? properties({ a: schema }) : schema;
      expect(validateGeminiRequest(asks(lowered(tool)))).toBeNull();
    }),
    { numRuns: 400 },
  );
});

test("arguments that the original allows are allowed by what is sent", () => {
  fc.assert(
    fc.property(soundSchema, soundValue, (written, value) => {
      const member = JSON.parse(JSON.stringify(written)) as JsonObject;
      const schema = properties({ v: member }, { $defs: { x: { type: "string" } } });
      if (!isValid(schema, { v: value })) return;
      const { json, originals } = createParameterLowering()(schema);
      const { parameters, parametersJsonSchema } = JSON.parse(`{${json}}`);
      const sent = new Map([...originals].map(([name, original]) => [original, name]));
      const rename = (one: Json): Json => {
        if (Array.isArray(one)) return one.map(rename);
        if (!isObject(one)) return one;
        const entries = Object.entries(one as JsonObject);
        return Object.fromEntries(entries.map(([key, inner]) => [sent.get(key) ?? key, rename(inner)]));
      };
      const read = withNulls(parameters ?? parametersJsonSchema) as JsonObject;
      expect(isValid(read, rename({ v: value }))).toBe(true);
    }),
    { numRuns: 400 },
  );
});
