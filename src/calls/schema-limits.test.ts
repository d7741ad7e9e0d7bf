import { expect, test } from "vitest";
import type { Json, JsonObject } from "../types/json.ts";
import { createSchemaValidator } from "./schema-validator.ts";

// Without their limits these checks take from minutes to longer than anybody lives: the test's own time limit fails them.

const validator = createSchemaValidator();

async function outcome(schema: JsonObject, value: Json): Promise<string> {
  const check = await validator.check(schema, value);
  return check.valid ? check.warnings.join(" ") : `invalid: ${check.problems.join()}`;
}

function pattern(text: string): JsonObject {
  return { type: "object", properties: { a: { type: "string", pattern: text } } };
}

test("a pattern that freezes backtracking engines is checked in linear time", async () => {
  for (const bomb of ["^(a+)+$", "^(a|a)*$", "^(.*a){20}$", "(x+x+)+y"]) {
    expect(await outcome(pattern(bomb), { a: `${"a".repeat(30)}!` })).toContain("invalid: a is");
    expect(await outcome(pattern(bomb), { a: `${"x".repeat(50_000)}!` })).toContain("invalid: a is");
  }
  expect(await outcome(pattern("^(a+)+$"), { a: "a".repeat(30) })).toBe("");
});

test("two patterns of one schema are not confused", async () => {
  const schema = { type: "object", properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } };
  expect(await outcome(schema, { a: "a", b: "b" })).toBe("");
  expect(await outcome(schema, { a: "b", b: "b" })).toContain("invalid: a is");
  expect(await outcome(schema, { a: "a", b: "a" })).toContain("invalid: b is");
});

test("JavaScript's own escapes in patterns are understood", async () => {
  expect(await outcome(pattern("^\\u0041\\d+\\/(?<name>x)$"), { a: "A12/x" })).toBe("");
});

test("patterns that cannot run in linear time, or are too large, are named and not checked", async () => {
  for (const bad of ["(?=x)y", "(a)\\1", "(", "a{1001}", "x".repeat(1001), "(abcdefghij{100}){100}"]) {
    const warning = await outcome(pattern(bad), { a: "anything" });
    expect(warning).toContain("cannot be run safely");
    expect(warning).toContain(bad.slice(0, 20));
  }
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`p${index}`, { pattern: `(a{0,30}){0,30}${index}` }]),
  );
  expect(await outcome({ type: "object", properties: many }, {})).toContain("cannot be run safely");
});

test("names that an unusable pattern would have allowed are not refused", async () => {
  const schema = {
    type: "object",
    patternProperties: { "(?=x)": { type: "string" } },
    additionalProperties: false,
  };
  expect(await outcome(schema, { x: "y" })).toContain("cannot be run safely");
});

test("an old pattern in a format is not run at all", async () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string", format: "^(a+)+$" }, b: { format: "email" } },
  };
  expect(await outcome(schema, { a: `${"a".repeat(30)}!`, b: `${"@".repeat(100_000)}` })).toBe("");
});

test("a small schema that doubles its work at every level is given up, and the call goes on", async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { anyOf: [{ allOf: [next, next] }, next] }];
    }),
  );
  const schema = { type: "object", $ref: "#/$defs/d0", $defs: { ...$defs, d60: { type: "object" } } };
  expect(await outcome(schema, {})).toContain("would take too long");
});

test("a schema that refers to itself without end is given up", async () => {
  expect(await outcome({ $ref: "#" }, {})).toContain("without end");
  expect(await outcome({ anyOf: [{ $ref: "#" }] }, {})).toContain("without end");
});

test("many items times many conditions are given up", async () => {
  const items = { allOf: Array.from({ length: 2000 }, () => ({ type: "integer" })) };
  const schema = { type: "object", properties: { a: { type: "array", items } } };
  expect(await outcome(schema, { a: Array.from({ length: 100_000 }, () => 1) })).toContain(
    "would take too long",
  );
});

test("unique items are compared in linear time", async () => {
  const schema = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };
  expect(await outcome(schema, { a: Array.from({ length: 100_000 }, (_, id) => ({ id })) })).toBe("");
});

test("schemas beyond 256 KiB, 64 levels or ten thousand parts are not checked", async () => {
  expect(await outcome({ type: "array", description: "x".repeat(256 * 1024) }, {})).toContain("256 KiB");
  let deep: JsonObject = { type: "string" };
  for (let level = 0; level < 40; level++) deep = { type: "object", properties: { a: deep } };
  expect(await outcome(deep, { a: 1 })).toContain("64 levels");
  expect(
    await outcome({ type: "array", enum: Array.from({ length: 10_001 }, (_, index) => index) }, {}),
  ).toContain("10000 parts");
});

test("a schema as wide as the limits allow is still checked", async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 2400 }, (_, index) => [`p${index}`, { type: "string", minLength: 1 }]),
  );
  expect(await outcome({ type: "object", properties: wide }, { p7: 3 })).toContain("invalid: p7 is 3");
});

test("at most five parts are named as unchecked, and the others are counted", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`p${index}`, { $ref: `#/$defs/d${index}` }]),
  );
  const check = await validator.check({ type: "object", properties }, {});
  expect(check.valid && check.warnings).toHaveLength(6);
  expect(check.valid && check.warnings[5]).toContain("4 more parts");
});

test("a schema object is compiled once", async () => {
  let reads = 0;
  const schema: JsonObject = {
    get type() {
      reads++;
      return "object";
    },
  };
  await validator.check(schema, {});
  const compiled = reads;
  expect(compiled).toBeGreaterThan(0);
  await validator.check(schema, {});
  expect(reads).toBe(compiled);
});
