import fc from "fast-check";
import type { Json, JsonObject } from "../../src/types/json.ts";

/** Anything that could stand for a schema: sound ones, and every keyword with values of wrong kinds. */
const keywords = (
  "type properties required items prefixItems additionalItems additionalProperties anyOf oneOf allOf not if then else enum const " +
  "minimum exclusiveMinimum maxLength pattern $ref $id $schema $defs definitions dependencies dependentRequired " +
  "patternProperties propertyNames unevaluatedProperties contains title description default nullable x-hint format"
).split(" ");
export const wildSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      -1,
      2.5,
      "",
      "string",
      "object",
      "#",
      "#/$defs/a",
      "#/properties/a b",
      "http://x/y",
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(...keywords),
      fc.constantFrom("a", "a b", "__proto__", "日付", "\ud800", "$x", ""),
    ),
    tie("value"),
    { maxKeys: 5 },
  ),
})).object;

/** Sound schemas of small values, with keys that must be renamed. */
export const soundSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonObject>(
      { type: "string" },
      { type: "integer", minimum: 1 },
      { enum: [1, "a"] },
      { type: "null" },
    ),
    fc.record({ type: fc.constant("array"), items: tie("node"), maxItems: fc.constant(2) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b[]", "c d"), tie("node"), { maxKeys: 3 }),
      required: fc.subarray(["a", "b[]"]),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ oneOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("node") }),
    fc.record({ allOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      items: fc.constant([{ type: "string" }]),
      $ref: fc.constantFrom("#/$defs/x", "#/$defs/gone"),
    }) as fc.Arbitrary<JsonObject>,
  ),
})).node;
/** Values of the same vocabulary. */
export const soundValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>("s", 1, 0, null, "a"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b[]", "c d"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
