import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject } from "../util/own.ts";
import { createSchemaValidator } from "./schema-validator.ts";

const validator = createSchemaValidator();

async function problemsOf(schema: JsonObject, value: Json): Promise<readonly string[]> {
  const check = await validator.check(schema, value);
  return check.valid ? [] : check.problems;
}

async function warningsOf(schema: JsonObject, value: Json): Promise<string> {
  const check = await validator.check(schema, value);
  return check.valid ? check.warnings.join(" ") : `invalid: ${check.problems.join()}`;
}

function properties(members: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties: members, ...more };
}

test("a schema is 2020-12 unless it says otherwise, and draft 7, 6, 4 and 2019-09 are known", async () => {
  const tuple = { type: "array", prefixItems: [{ type: "string" }], items: false };
  expect(await problemsOf(properties({ a: tuple }), { a: ["x", 1] })).toEqual(["a has too many items"]);
  const old = { type: "array", items: [{ type: "string" }], additionalItems: false };
  for (const draft of ["draft-07", "draft-06", "draft-04", "draft/2019-09"]) {
    const schema = { $schema: `http://json-schema.org/${draft}/schema#`, ...properties({ a: old }) };
    expect(await warningsOf(schema, { a: ["x"] })).toBe("");
    expect(await problemsOf(schema, { a: [1] })).toEqual(["a[0] is 1; must be a string"]);
    expect(await problemsOf(schema, { a: ["x", 1] })).toEqual(["a has too many items"]);
  }
});

test("older spellings keep their meaning: definitions, dependencies, exclusive limits as truth values", async () => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "http://example.org/root",
    ...properties(
      { n: { $ref: "#/definitions/positive" }, a: {}, b: {} },
      {
        definitions: { positive: { type: "number", minimum: 0, exclusiveMinimum: true } },
        dependencies: { a: ["b"] },
      },
    ),
  };
  expect(await problemsOf(schema, { n: 0 })).toEqual(["n is 0; must be a number greater than 0"]);
  expect(await problemsOf(schema, { a: 1 })).toEqual(['b is missing: it is needed beside "a"']);
  expect(await warningsOf(schema, { n: 0.5, a: 1, b: 1 })).toBe("");
});

test("up to draft 7 the neighbours of a reference mean nothing, later they do", async () => {
  const schema = properties(
    { n: { $ref: "#/definitions/n", maximum: 5 } },
    { definitions: { n: { type: "number" } } },
  );
  expect(
    await problemsOf({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" }, { n: 9 }),
  ).toEqual([]);
  expect(await problemsOf(schema, { n: 9 })).toHaveLength(1);
});

test("a dialect that nobody knows is not checked and a warning says so", async () => {
  const schema = { $schema: "https://example.org/my-schema", type: "array" };
  expect(await warningsOf(schema, {})).toContain("dialect https://example.org/my-schema is not known");
});

test("a reference that leads nowhere leaves its part unchecked and the rest checked", async () => {
  const schema = properties({ screen: { $ref: "#/$defs/ScreenInstance" }, n: { type: "integer" } });
  expect(await warningsOf(schema, { screen: 1, n: 2 })).toContain("#/$defs/ScreenInstance leads nowhere");
  expect(await problemsOf(schema, { screen: 1, n: "x" })).toEqual(['n is "x"; must be an integer']);
});

test("what a missing part would turn around is not checked either: not, oneOf, if, unevaluated", async () => {
  const missing = { $ref: "#/$defs/gone" };
  for (const part of [
    { not: missing },
    { oneOf: [missing, { type: "integer" }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    { if: missing, then: { type: "string" } },
    { type: "object", anyOf: [missing], unevaluatedProperties: false },
  ]) {
    expect(await warningsOf(properties({ a: part }), { a: part.type ? { x: 1 } : 1 })).toContain(
      "leads nowhere",
    );
  }
});

test("nothing is fetched: a reference to another document leads nowhere", async () => {
  const schema = properties({ a: { $ref: "http://127.0.0.1:1/schema.json" } });
  expect(await warningsOf(schema, { a: 1 })).toContain("http://127.0.0.1:1/schema.json leads nowhere");
});

test("references work by pointer, anchor and id, with escapes, and around in circles", async () => {
  const tree: JsonObject = {
    $id: "https://example.org/tree",
    ...properties(
      {
        next: { $ref: "#" },
        a: { $ref: "#/$defs/odd~1name%20x" },
        b: { $ref: "#anchored" },
        c: { $ref: "inner.json#/$defs/deep" },
        d: { $ref: "https://example.org/tree#/$defs/odd~1name x" },
      },
      {
        $defs: {
          "odd/name x": { type: "string" },
          two: { $anchor: "anchored", type: "boolean" },
          three: { $id: "inner.json", $defs: { deep: { $ref: "#/$defs/deeper" }, deeper: { type: "null" } } },
        },
      },
    ),
  };
  expect(await warningsOf(tree, { next: { next: { a: "x", b: true, c: null, d: "y" } } })).toBe("");
  expect(await problemsOf(tree, { next: { a: 1, b: 1, c: 1, d: 1 } })).toEqual([
    "next.a is 1; must be a string",
    "next.b is 1; must be true or false",
    "next.c is 1; must be null",
    "next.d is 1; must be a string",
  ]);
});

test("an anchor inside of plain values names nothing", async () => {
  const schema = properties(
    { a: { $ref: "#here" }, b: { default: { $anchor: "here", type: "null" } } },
    { $defs: { one: { $anchor: "here", type: "string" } }, examples: [{ $anchor: "here", type: "null" }] },
  );
  expect(await problemsOf(schema, { a: "x" })).toEqual([]);
  expect(await problemsOf(schema, { a: null })).toEqual(["a is null; must be a string"]);
});

test("one server's ids mean nothing to another server's schema", async () => {
  const first = { $id: "https://example.org/shared", ...properties({ a: { type: "string" } }) };
  const second = { $id: "https://example.org/shared", ...properties({ a: { type: "integer" } }) };
  expect(await problemsOf(first, { a: "x" })).toEqual([]);
  expect(await problemsOf(second, { a: 1 })).toEqual([]);
  const third = properties({ a: { $ref: "https://example.org/shared" } });
  expect(await warningsOf(third, { a: 1 })).toContain("leads nowhere");
});

test("formats are annotations, known or not", async () => {
  const schema = properties({
    url: { type: "string", format: "uri" },
    at: { type: "string", format: "date-time" },
    id: { type: "string", format: "x-corp-id" },
  });
  expect(await warningsOf(schema, { url: "https://example.org", at: "nonsense", id: "zz" })).toBe("");
});

test("null and lists of types are taken as the schema says", async () => {
  const schema = properties({
    tags: { type: ["array", "null"], items: { type: "string" } },
    owner: { type: ["number", "null"] },
    max: { anyOf: [{ type: "integer", exclusiveMinimum: 0 }, { type: "null" }] },
  });
  expect(await problemsOf(schema, { tags: null, owner: 3, max: null })).toEqual([]);
  expect(await problemsOf(schema, {})).toEqual([]);
  expect(await problemsOf(schema, { owner: "x", max: 0 })).toEqual([
    'owner is "x"; must be a number or null',
    "max is 0; must be an integer greater than 0, or null",
  ]);
});

test("members of the prototype neither fulfil nor break a schema", async () => {
  const schema = properties(
    { toString: { type: "string" }, __proto__: { type: "string" } },
    { required: ["toString"] },
  );
  expect(await problemsOf(schema, {})).toEqual(["toString is missing; must be a string"]);
  expect(await problemsOf(properties({ constructor: { type: "string" } }), {})).toEqual([]);
});

test("fractions of ten are multiples as people count", async () => {
  expect(await problemsOf(properties({ a: { multipleOf: 0.01 } }), { a: 0.07 })).toEqual([]);
  expect(await problemsOf(properties({ a: { multipleOf: 0.5 } }), { a: 0.7 })).toHaveLength(1);
});

test("length counts characters, and equal items are found whatever the order of their keys", async () => {
  expect(await problemsOf(properties({ a: { maxLength: 2 } }), { a: "😀😀" })).toEqual([]);
  expect(await problemsOf(properties({ a: { maxLength: 2 } }), { a: "😀😀😀" })).toHaveLength(1);
  const unique = properties({ a: { type: "array", uniqueItems: true } });
  expect(
    await problemsOf(unique, {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    }),
  ).toHaveLength(1);
  expect(await problemsOf(unique, { a: [1, "1", [1], { "0": 1 }] })).toEqual([]);
});

test("every problem names the field, what is wrong and what would be right, five at most", async () => {
  const schema = properties(
    {
      count: { type: "integer", minimum: 1, maximum: 9 },
      mode: { enum: ["fast", "slow"] },
      task: { type: "object", properties: { "odd name": { type: "string", minLength: 1 } } },
      list: { type: "array", items: { type: "string" } },
    },
    { required: ["path"], additionalProperties: false },
  );
  const value = { count: 70, mode: "x", task: { "odd name": "" }, list: ["a", 1], pth: 1 };
  expect(await problemsOf(schema, value)).toEqual([
    "path is missing",
    'pth is unknown; known are "count", "mode", "task", "list"',
    "count is 70; must be an integer at least 1 at most 9",
    'mode is "x"; must be one of "fast", "slow"',
    'task["odd name"] is ""; must be a string of at least 1 characters',
    "and 1 more problems",
  ]);
});

test("alternatives are described together, and a wrong field inside one by itself", async () => {
  const either = properties(
    { order_id: {}, email: {} },
    { oneOf: [{ required: ["order_id"] }, { required: ["email"] }] },
  );
  expect(await problemsOf(either, {})).toEqual([
    'the object of arguments is an object; must be an object with "order_id", or an object with "email"',
  ]);
  expect((await problemsOf(either, { order_id: 1, email: 1 })).join()).toContain("exactly one is allowed");
  expect(await problemsOf(either, { order_id: 1 })).toEqual([]);
  const nested = properties({
    task: { anyOf: [properties({ title: { type: "string" } }), { type: "null" }] },
  });
  expect(await problemsOf(nested, { task: { title: 5 } })).toEqual(["task.title is 5; must be a string"]);
});

test("values are never repeated beyond 80 characters, and never raw", async () => {
  const [problem = ""] = await problemsOf(properties({ a: { type: "integer" } }), {
    a: `\u001b[2K${"x".repeat(5000)}`,
  });
  expect(problem).toContain("\\u001b");
  expect(problem.length).toBeLessThan(150);
});

test("keywords with impossible values are left out by name, and the rest is checked", async () => {
  const schema = properties({ a: { type: "string", maxLength: "1);throw 1;(" } }, { required: true });
  const warnings = await warningsOf(schema, { a: "abc" });
  expect(warnings).toContain('"required" has a value that it cannot have');
  expect(warnings).toContain('"maxLength" has a value that it cannot have');
  expect(await problemsOf(schema, { a: 1 })).toEqual(["a is 1; must be a string"]);
});

const jsonSchema = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.dictionary(
      fc.constantFrom(
        ..."type properties items anyOf oneOf allOf not if then $ref $id $anchor $async $schema required enum const pattern".split(
          " ",
        ),
        ..."patternProperties additionalProperties dependencies minLength uniqueItems contains $defs __proto__ nullable".split(
          " ",
        ),
      ),
      fc.oneof(
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 2 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie("schema"), { maxKeys: 2 }),
        fc.constantFrom<Json>("#", "#/x", "object", "string", "(", "^a", 1, null),
      ),
      { maxKeys: 4 },
    ),
  ),
}));

test("no schema and no value make it throw", async () => {
  await fc.assert(
    fc.asyncProperty(jsonSchema.schema, fc.jsonValue({ maxDepth: 3 }), async (schema, value) => {
      const root: JsonObject = isObject(schema) ? { ...schema } : {};
      const check = await validator.check(root, value as Json);
      expect(typeof check.valid).toBe("boolean");
    }),
    { numRuns: 300 },
  );
});

test("calls of one turn that need the same schema wait for one compilation, and each gets its own answer", async () => {
  const validator = createSchemaValidator();
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const values: Json[] = [{ n: 1 }, { n: "x" }, {}, { n: 2 }];
  const checks = await Promise.all(values.map((value) => validator.check(schema, value)));
  expect(checks.map((check) => check.valid)).toEqual([true, false, false, true]);
});
