import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../types/json.ts";
import { withoutEmptyOptionals } from "./empty-optionals.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    id: { type: "integer" },
    limit: { type: "integer" },
    name: { type: "string" },
    kind: { enum: ["a", "b"] },
    note: { type: ["string", "null"] },
    open: {},
    where: { type: "object", properties: { city: { type: "string" } } },
  },
  required: ["id"],
};

test("null and empty text of an optional parameter that takes neither are its absence", () => {
  const prune = (text: string): string => withoutEmptyOptionals(text, schema);
  expect(prune('{"id": 1, "limit": null, "name": "x"}')).toBe('{"id": 1,"name": "x"}');
  expect(prune('{"limit":"","kind":"","id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
  expect(prune('{ "where" : { "city" : null }, "kind": null }')).toBe('{"where" : {}}');
});

test("what the schema takes, requires or does not describe stays as it was written", () => {
  for (const text of [
    '{"id": null}',
    '{"name": "", "note": null, "open": null, "other": null, "id": ""}',
    '{"limit": null, "limit": 2}',
    '{"limit": null',
    '["limit", null]',
    '{"name": "x: null"}',
  ]) {
    expect(withoutEmptyOptionals(text, schema)).toBe(text);
  }
});

test("for any arguments, only such members are gone", () => {
  const value = fc.constantFrom<Json>(null, "", "x", 1, { city: null }, { city: "" }, [null, ""]);
  const key = fc.constantFrom("id", "limit", "name", "kind", "note", "open", "where", 'q"', "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.constantFrom(0, 2), (given, indent) => {
      const pruned = JSON.parse(
        withoutEmptyOptionals(JSON.stringify(given, null, indent), schema),
      ) as JsonObject;
      for (const [name, member] of Object.entries(given)) {
        const kept = Object.hasOwn(pruned, name) ? pruned[name] : undefined;
        if (kept === undefined) expect(member === null || member === "").toBe(true);
        else if (name !== "where") expect(kept).toEqual(member);
      }
      expect(Object.keys(pruned).every((name) => Object.hasOwn(given, name))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("beside a reference a type may mean nothing: what it refuses stays", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { a: { $ref: "#/definitions/nothing", type: "string" } },
    definitions: { nothing: { type: "null" } },
  };
  expect(withoutEmptyOptionals('{"a":null}', schema)).toBe('{"a":null}');
});
