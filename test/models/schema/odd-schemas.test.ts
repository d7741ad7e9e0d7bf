import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { jsonDialect } from "../../../src/models/gemini/dialect.ts";
import { createParameterLowering } from "../../../src/models/gemini/parameters.ts";
import type { SchemaDialect } from "../../../src/models/schema/dialect.ts";
import { createSchemaLowering } from "../../../src/models/schema/lower.ts";
import type { JsonObject } from "../../../src/types/json.ts";
import { commonDialects, lowerBy } from "./common-dialects.ts";

const dialects: Readonly<Record<string, SchemaDialect>> = {
  ...commonDialects,
  json: jsonDialect,
};

const accepts = (schema: JsonObject): ((value: unknown) => boolean) => {
  const validate = new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(schema);
  return (value) => validate(value) === true;
};

describe.each(Object.entries(dialects))("%s", (_, dialect) => {
  test("what patterns described is no additional property once the patterns are left out", () => {
    const map = {
      type: "object",
      patternProperties: { "^[A-Z]": { type: "array", items: { type: "string" } } },
      additionalProperties: { type: "integer" },
    };
    const valid = accepts(lowerBy(dialect, { type: "object", properties: { map } }));
    expect(valid({ map: { Abc: ["x"], z: 1 } })).toBe(true);
  });

  test("a pointer below an address of its own leads to a part of that, not of the whole", () => {
    const inner = {
      $id: "https://example.com/inner.json",
      type: "object",
      properties: { x: { $ref: "#/$defs/q" }, y: { $ref: "#" }, z: { $ref: "/outer.json#/$defs/q" } },
      $defs: { q: { type: "integer" } },
    };
    const schema = {
      $id: "https://example.com/outer.json",
      type: "object",
      properties: { a: inner },
      $defs: { q: { type: "string" } },
    };
    const valid = accepts(lowerBy(dialect, schema));
    expect(valid({ a: { x: 1, y: { x: 2 }, z: "text" } })).toBe(true);
    expect(valid({ a: { x: "text" } })).toBe(false);
    expect(valid({ a: { z: 1 } })).toBe(false);
  });

  test("references by anchor and by the id of a part lead to it", () => {
    const schema = {
      type: "object",
      properties: {
        "half \ud800": { $anchor: "half" },
        count: { $ref: "#count" },
        tree: {
          $id: "Tree",
          type: "object",
          properties: { kids: { type: "array", items: { $ref: "Tree" } } },
        },
      },
      $defs: { c: { $anchor: "count", type: "integer" } },
    };
    const valid = accepts(lowerBy(dialect, schema));
    expect(valid({ count: 1, tree: { kids: [{ kids: [] }] } })).toBe(true);
    expect(valid({ count: "1" })).toBe(false);
    expect(valid({ tree: { kids: 5 } })).toBe(false);
  });

  test("the address of draft 4 is not sent, and in later drafts it is no address", () => {
    const old = {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "http://example.com/tool",
      type: "object",
      properties: { id: { $ref: "http://example.com/tool#/definitions/n" } },
      definitions: { n: { type: "integer" } },
    };
    const lowered = lowerBy(dialect, old);
    expect(lowered).not.toHaveProperty("id");
    expect(lowered.properties).toHaveProperty("id");
    expect(accepts(lowered)({ id: "x" })).toBe(false);
    const later = {
      type: "object",
      properties: { a: { id: "field-a", allOf: [{ $ref: "#/$defs/n" }] } },
      $defs: { n: { type: "integer" } },
    };
    const valid = accepts(lowerBy(dialect, later));
    expect(valid({ a: 1 })).toBe(true);
    if (!dialect.refuses("allOf", [])) expect(valid({ a: "x" })).toBe(false);
  });

  test("a reference that leads back to itself is cut: no reader of the schema would come to an end", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" }, c: { $ref: "#/$defs/c" }, list: { $ref: "#/$defs/list" } },
      $defs: {
        a: { $ref: "#/$defs/b" },
        b: { $ref: "#/$defs/a", description: "b" },
        c: { anyOf: [{ type: "string" }, { not: { $ref: "#/$defs/c" } }] },
        list: { type: "array", items: { $ref: "#/$defs/list" } },
      },
    };
    const valid = accepts(lowerBy(dialect, schema));
    expect(valid({ a: 1, c: "x", list: [[[]]] })).toBe(true);
    expect(valid({ list: 1 })).toBe(false);
  });

  test("a long chain of references is followed a little way, and stops nothing", () => {
    for (const link of [(next: JsonObject) => next, (next: JsonObject) => ({ type: "array", items: next })]) {
      const chain = Array.from({ length: 3_000 }, (_, at) => [
        `d${at}`,
        link({ $ref: `#/$defs/d${at + 1}` }),
      ]);
      const $defs = Object.fromEntries([...chain, ["d3000", {}]]) as JsonObject;
      const lowered = lowerBy(dialect, { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs });
      expect(lowered.properties).toHaveProperty("a");
    }
  });

  test("a flag of other dialects beside no type, and what is about the document, is not sent", () => {
    const a = { nullable: true, $async: true, anyOf: [{ type: "string", nullable: "yes" }] };
    const lowered = lowerBy(dialect, { type: "object", $async: true, properties: { a } });
    expect(lowered).toMatchObject({ properties: { a: { anyOf: [{ type: "string" }] } } });
    expect(JSON.stringify(lowered)).not.toMatch(/"(?:nullable|\$async)":/);
  });

  test("items that are no schema count as missing", () => {
    const lists = { a: { type: "array", items: null }, b: { type: "array", items: "string" } };
    const { properties } = lowerBy(dialect, { type: "object", properties: lists });
    const items = dialect.completeContainers ? { items: {} } : {};
    if (!dialect.namedTypes) {
      expect(properties).toEqual({ a: { type: "array", ...items }, b: { type: "array", ...items } });
    }
  });
});

test("keywords beside a reference become one schema with its target where there is no allOf", () => {
  const Base = { type: "object", properties: { x: { type: "string" } }, required: ["x"] };
  const lower = createParameterLowering();
  const fieldOf = (beside: JsonObject): JsonObject => {
    const a = { $ref: "#/$defs/Base", ...beside };
    const { json } = lower({
      type: "object",
      properties: { a, map: { additionalProperties: {} } },
      $defs: { Base },
    });
    expect(json).not.toContain("allOf");
    const fields = JSON.parse(`{${json}}`) as { parametersJsonSchema: { properties: { a: JsonObject } } };
    return fields.parametersJsonSchema.properties.a;
  };
  const y = { type: "integer" };
  expect(fieldOf({ properties: { y }, required: ["y"] })).toEqual({
    type: "object",
    properties: { x: { type: "string" }, y },
    required: ["x", "y"],
  });
  // What cannot be one schema leaves the target as it is.
  expect(fieldOf({ properties: { x: { type: "integer" } }, description: "d" })).toEqual({
    ...Base,
    description: "d",
  });
});

test("a name that is required and described nowhere is described where the API wants it, and maps back", () => {
  const lower = createSchemaLowering(jsonDialect);
  const inner = { required: ["x"], additionalProperties: { type: "integer" } };
  const schema = { type: "object", properties: { inner }, required: ["zip code", "inner"] };
  const { json, originals, restore } = lower(schema);
  const [sent = ""] = originals.keys();
  const lowered = JSON.parse(json) as JsonObject;
  expect(lowered).toMatchObject({
    properties: { [sent]: {}, inner: { properties: { x: { type: "integer" } }, required: ["x"] } },
    required: [sent, "inner"],
  });
  expect(restore(`{"${sent}":1,"inner":{"x":2}}`)).toBe('{"zip code":1,"inner":{"x":2}}');
  expect(accepts(lowered)({ [sent]: 1, inner: { x: 2 } })).toBe(true);
  expect(accepts(lowered)({ [sent]: 1, inner: { x: "2" } })).toBe(false);
});
