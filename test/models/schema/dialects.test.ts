import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import type { SchemaDialect } from "../../../src/models/schema/dialect.ts";
import { createSchemaLowering } from "../../../src/models/schema/lower.ts";
import type { Json, JsonObject } from "../../../src/types/json.ts";
import { soundSchema, soundValue } from "../schemas.ts";
import { commonDialects, lowerBy } from "./common-dialects.ts";

/** A dialect that takes almost nothing, as the OpenAPI 3.0 subset of some APIs does. */
const narrowDialect: SchemaDialect = {
  ...chatProfiles.ollama.dialect,
  constants: false,
  enums: "strings",
  typeLists: "nullable",
  exclusiveBounds: false,
  formats: new Set(["date-time"]),
  notes: true,
};

const dialects: Readonly<Record<string, SchemaDialect>> = {
  ...commonDialects,
  narrow: narrowDialect,
};

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });

function isValid(schema: JsonObject, value: unknown): boolean {
  try {
    return ajv.compile(schema)(value);
  } catch {
    return false;
  }
}

/** `nullable` as the APIs that take it mean it: JSON Schema does not know it. */
function withNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as JsonObject;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNulls(member)]));
  return nullable === true ? { anyOf: [{ type: "null" }, plain] } : plain;
}

function renamed(value: Json, sent: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, sent));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [sent.get(key) ?? key, renamed(member as Json, sent)]),
  );
}

/** Keywords that only some dialects know, around sound schemas. */
const richSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  soundSchema,
  fc.record({
    type: fc.constantFrom<Json>(
      ["string", "null"],
      ["integer", "array", "null"],
      ["string", "integer"],
      "integer",
    ),
    enum: fc.option(fc.constantFrom<Json>(["a", "s"], ["a", null], [1, "a"]), { nil: undefined }),
    exclusiveMinimum: fc.option(fc.constantFrom(0, 0.5), { nil: undefined }),
  }) as fc.Arbitrary<JsonObject>,
  fc.record({ const: fc.constantFrom<Json>("a", 1, null) }),
  fc.record({ not: fc.record({ const: fc.constantFrom<Json>("a", 1), pattern: fc.constant("^x") }) }),
  fc.record({
    anyOf: fc.array(fc.oneof(soundSchema, fc.constant({ type: "null" })), { minLength: 1, maxLength: 3 }),
  }),
);

describe.each(Object.entries(dialects))("%s", (_, dialect) => {
  test("arguments that the original allows are allowed by the lowered schema, and map back to themselves", () => {
    fc.assert(
      fc.property(richSchema, soundValue, (node, value) => {
        const defs = { x: { type: "string" }, tree: { properties: { a: { $ref: "#/$defs/tree" } } } };
        const written = JSON.parse(JSON.stringify(node)) as JsonObject;
        const properties = { v: written, t: { $ref: "#/$defs/tree" } };
        const schema = { type: "object", properties, required: ["v"], $defs: defs };
        const given = { v: value, t: { a: { a: value } } };
        if (!isValid(schema, given)) return;
        const { json, originals, restore } = createSchemaLowering(dialect)(schema);
        const sent = new Map([...originals].map(([name, original]) => [original, name]));
        const asked = renamed(given, sent);
        expect(isValid(withNulls(JSON.parse(json) as Json) as JsonObject, asked)).toBe(true);
        expect(JSON.parse(restore(JSON.stringify(asked)))).toEqual(given);
      }),
      { numRuns: 150 },
    );
  });
});

test("references are written out where the API does not follow them, and a circle is cut", () => {
  const schema = {
    type: "object",
    properties: {
      home: { $ref: "#/$defs/Place", description: "Where one lives." },
      tree: { $ref: "#/$defs/Tree" },
      gone: { $ref: "#/$defs/Gone" },
    },
    $defs: {
      Place: { type: "object", properties: { city: { type: "string" } }, description: "A place." },
      Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" } } },
    },
  };
  expect(lowerBy(chatProfiles.ollama.dialect, schema)).toEqual({
    type: "object",
    properties: {
      home: { type: "object", properties: { city: { type: "string" } }, description: "Where one lives." },
      tree: { type: "object", properties: { left: {} } },
      gone: {},
    },
  });
});

test("references that would multiply are written out up to a limit", () => {
  const $defs: Record<string, JsonObject> = { d0: { type: "string" } };
  for (let level = 1; level < 40; level += 1) {
    const below = { $ref: `#/$defs/d${level - 1}` };
    $defs[`d${level}`] = { type: "object", properties: { a: below, b: below } };
  }
  const { json } = createSchemaLowering(chatProfiles.ollama.dialect)({
    type: "object",
    properties: { top: { $ref: "#/$defs/d39" } },
    $defs,
  });
  expect(json.length).toBeLessThan(512 * 1024);
});

test("every object gets properties and every array items where the API wants them", () => {
  const schema = {
    type: "object",
    properties: {
      any: { type: ["object", "null"] },
      list: { type: "array" },
      deep: { items: { type: "array" } },
    },
    not: { required: ["x"] },
    enum: [{}],
  };
  expect(lowerBy(chatProfiles["openai-chat"].dialect, schema)).toEqual({
    type: "object",
    properties: {
      any: { type: ["object", "null"], properties: {} },
      list: { type: "array", items: {} },
      deep: { items: { type: "array", items: {} } },
    },
  });
});

test("what has no form in a grammar is left out and told in the description", () => {
  const schema = {
    type: "object",
    properties: {
      mail: { type: "string", format: "email", pattern: "^(?=.*@).+$", description: "Whom to write to." },
      text: { type: "string", maxLength: 10_000 },
      day: { type: "string", format: "date" },
      id: { type: "integer", maximum: 9_007_199_254_740_991 },
      any: { description: "Anything." },
      list: { type: "array", items: {} },
      open: { type: "object" },
    },
  };
  const everyType = ["string", "number", "boolean", "object", "array", "null"];
  expect(lowerBy(chatProfiles.llamacpp.dialect, schema).properties).toEqual({
    mail: { type: "string", description: "Whom to write to. (format: email; pattern: ^(?=.*@).+$)" },
    text: { type: "string", description: "(maxLength: 10000)" },
    day: { type: "string", format: "date" },
    id: { type: "integer", description: "(maximum: 9007199254740991)" },
    any: { description: "Anything.", type: everyType },
    list: { type: "array", items: { type: everyType } },
    open: { type: "object" },
  });
});

test("a narrow dialect says the same with fewer words: nullable, enum of one, inclusive bounds", () => {
  const schema = {
    type: "object",
    properties: {
      tags: { type: ["array", "null"], items: { type: "string" } },
      note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
      count: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
      kind: { const: "a" },
      level: { enum: [1, 2] },
      mixed: { type: ["string", "integer", "null"], minLength: 1, minimum: 3 },
      colour: { type: ["string", "null"], enum: ["red", null] },
      at: { type: "string", format: "uri" },
    },
  };
  expect(lowerBy(narrowDialect, schema).properties).toEqual({
    tags: { type: "array", nullable: true, items: { type: "string" } },
    note: { type: "string", nullable: true, default: null },
    count: { type: "integer", minimum: 1, maximum: 9 },
    kind: { type: "string", enum: ["a"] },
    level: { description: "(one of: 1, 2)" },
    mixed: {
      anyOf: [
        { type: "string", nullable: true, minLength: 1 },
        { type: "integer", minimum: 3 },
      ],
    },
    colour: { type: "string", nullable: true, enum: ["red"] },
    at: { type: "string", description: "(format: uri)" },
  });
});
