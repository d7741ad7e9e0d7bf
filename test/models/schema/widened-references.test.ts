import { expect, test } from "vitest";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import { createSchemaLowering } from "../../../src/models/schema/lower.ts";
import type { Json, JsonObject } from "../../../src/types/json.ts";

/** A dialect without `if`, in which references are kept. */
const lower = createSchemaLowering(chatProfiles.llamacpp.dialect);

function propertyOf(schema: JsonObject): Json | undefined {
  const lowered = JSON.parse(lower(schema).json) as { properties: Record<string, Json> };
  return lowered.properties.a;
}

const conditional = JSON.parse(
  '{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "integer"}}',
) as JsonObject;

test("what a reference leads to became wider: one of several is any of several, and not is left out", () => {
  const $defs = { wide: conditional, around: { properties: { x: { $ref: "#/$defs/wide" } } } };
  const branches = [{ type: "null" }, { $ref: "#/$defs/around" }];
  expect(propertyOf({ type: "object", properties: { a: { oneOf: branches } }, $defs })).toHaveProperty(
    "anyOf",
  );
  const negated = {
    type: "object",
    properties: { a: { not: { $ref: "#/$defs/wide" }, description: "d" } },
    $defs,
  };
  expect(propertyOf(negated)).not.toHaveProperty("not");
});

test("what a reference leads to stayed as it was: one of several stays", () => {
  const $defs = {
    same: { type: "integer" },
    loop: { properties: { x: { $ref: "#/$defs/loop" } }, type: "object" },
  };
  for (const name of ["same", "loop"]) {
    const branches = [{ type: "null" }, { $ref: `#/$defs/${name}` }];
    expect(propertyOf({ type: "object", properties: { a: { oneOf: branches } }, $defs })).toHaveProperty(
      "oneOf",
    );
  }
});

test("a circle of references is wide as soon as a part of it is", () => {
  const $defs = {
    first: { type: "object", properties: { x: { $ref: "#/$defs/second" } } },
    second: { type: "object", properties: { y: { $ref: "#/$defs/first" }, z: conditional } },
  };
  const branches = [{ type: "null" }, { $ref: "#/$defs/first" }];
  expect(propertyOf({ type: "object", properties: { a: { oneOf: branches } }, $defs })).toHaveProperty(
    "anyOf",
  );
});
