import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../types/json.ts";
import { fullDialect } from "./dialect.ts";
import { createSchemaLowering } from "./lower.ts";

const lower = createSchemaLowering(fullDialect);

function propertiesOf(schema: JsonObject): Readonly<Record<string, Json>> {
  return (JSON.parse(lower(schema).json) as { properties: Record<string, Json> }).properties;
}

const text = { type: "string", description: "A name." };
const groups = (closed: object, keyword: string): JsonObject => ({
  type: "object",
  [keyword]: [
    { type: "object", properties: { a: text, both: {} }, required: ["a"], ...closed },
    { type: "object", properties: { b: { type: "number" }, both: {} }, required: ["b"], ...closed },
  ],
});

test("a property that another group leaves open may be anything, and is still described", () => {
  for (const keyword of ["anyOf", "oneOf"]) {
    expect(propertiesOf(groups({}, keyword))).toEqual({
      a: { description: "A name.", anyOf: [{ type: "string" }, {}] },
      b: { anyOf: [{ type: "number" }, {}] },
      both: {},
    });
  }
});

test("groups that allow no other properties keep what each is", () => {
  expect(propertiesOf(groups({ additionalProperties: false }, "oneOf"))).toEqual({
    a: text,
    b: { type: "number" },
    both: {},
  });
});

test("a group inside a group may leave a property open, too", () => {
  const inner = groups({ additionalProperties: false }, "anyOf");
  expect(propertiesOf({ type: "object", anyOf: [inner, { required: ["c"] }] })).toMatchObject({
    a: { anyOf: [{ type: "string" }, {}] },
    b: { anyOf: [{ type: "number" }, {}] },
  });
});

test("a reference to a property that a group narrows is not narrowed with it", () => {
  const properties = {
    a: { type: "string" },
    b: { $ref: "#/properties/a" },
    c: { $ref: "#/properties/d" },
    d: {},
  };
  const allOf = [{ properties: { a: { maxLength: 2 }, d: {} } }];
  const lowered = propertiesOf({ type: "object", properties, allOf });
  expect(lowered.a).toEqual({ allOf: [{ type: "string" }, { maxLength: 2 }] });
  expect(lowered.b).toEqual({});
  expect(lowered.c).toEqual({ $ref: "#/properties/d" });
  const inner = { type: "object", properties: { x: { type: "string" } } };
  const negated = { a: inner, b: { not: { $ref: "#/properties/a/properties/x" } } };
  const narrowed = {
    type: "object",
    properties: negated,
    allOf: [{ properties: { a: { minProperties: 1 } } }],
  };
  expect(propertiesOf(narrowed).b).toEqual({});
});

test("what must not be like the root says nothing once the root is wider without its groups", () => {
  const properties = { a: { not: { $ref: "#" } }, b: { $ref: "#" } };
  const lowered = propertiesOf({ ...groups({}, "anyOf"), properties });
  expect(lowered).toMatchObject({ a: {}, b: { $ref: "#" } });
  expect(lowered.a).not.toHaveProperty("not");
});
