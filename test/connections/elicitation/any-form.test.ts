import fc from "fast-check";
import { expect, test } from "vitest";
import { readElicitation } from "../../../src/connections/elicitation/read-elicitation.ts";
import { readSampling } from "../../../src/connections/server-requests/sampling.ts";
import { checkElicitation, withDefaults } from "../../../src/host/elicit-check.ts";
import type { ElicitationAsked } from "../../../src/types/elicitation.ts";
import type { Json } from "../../../src/types/json.ts";

const odd = fc.jsonValue();
const name = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom("__proto__", "constructor", "a"));
const property = fc.record(
  {
    type: fc.oneof(fc.constantFrom("string", "number", "integer", "boolean", "array"), odd),
    title: fc.oneof(fc.string(), odd),
    format: fc.oneof(fc.constantFrom("email", "uri", "date", "date-time"), odd),
    enum: fc.oneof(fc.array(fc.string(), { maxLength: 3 }), odd),
    items: fc.oneof(fc.record({ enum: fc.array(fc.string(), { maxLength: 3 }) }), odd),
    minimum: fc.oneof(fc.integer(), odd),
    maxLength: fc.oneof(fc.nat(), odd),
    default: odd,
  },
  { requiredKeys: ["type"] },
);

/** Most often the one that may become a form: enough of them do, whatever chance brings. */
const mostly = (likely: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: likely }, odd);

const params = fc.record({
  message: mostly(fc.string()),
  requestedSchema: mostly(
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(name, property, { maxKeys: 4 }),
      required: fc.oneof(fc.array(name, { maxLength: 3 }), odd),
    }),
  ),
});

test("whatever a server asks with is a form or a reason, and a form's schema says what its fields say", () => {
  let forms = 0;
  fc.assert(
    fc.property(mostly(params), (given) => {
      const asked = readElicitation(given);
      if (typeof asked === "string") return;
      if (asked.mode !== "form") return;
      forms += 1;
      expect(Object.keys(asked.schema.properties as object).sort()).toEqual(
        asked.fields.map((field) => field.name).sort(),
      );
      // What is written anew is read as the same.
      expect(readElicitation({ message: asked.message, requestedSchema: asked.schema })).toEqual(asked);
      // Defaults alone are never what makes an answer wrong.
      const wrong = checkElicitation(asked.fields, withDefaults(asked.fields, {}));
      expect(wrong.every((problem) => problem.endsWith(" is required."))).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(forms).toBeGreaterThan(20);
});

test("a title of white space is none: the field keeps its name, and a choice its value", () => {
  const asked = readElicitation({
    message: "Which?",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string", title: " " },
        one: { type: "string", enum: ["a"], enumNames: ["\n"] },
      },
    },
  });
  expect(asked).toMatchObject({
    fields: [{ name: "name" }, { name: "one", options: [{ value: "a", title: "a" }] }],
  });
  expect(asked).not.toHaveProperty("fields.0.title");
});

test("whatever a server asks the model with is a prompt or a reason", () => {
  fc.assert(
    fc.property(odd, odd, (messages, maxTokens) => {
      expect(["string", "object"]).toContain(typeof readSampling({ messages, maxTokens }));
    }),
    { numRuns: 200 },
  );
});

const asked = (properties: object, required: readonly string[] = []) =>
  readElicitation({ message: "?", requestedSchema: { type: "object", properties, required } }) as Extract<
    ElicitationAsked,
    { mode: "form" }
  >;

test.each([
  [{ type: "string", format: "email" }, "a@b.c", "a b@c"],
  [{ type: "string", format: "uri" }, "https://a.b/", "a.b"],
  [{ type: "string", format: "date" }, "2024-02-29", "2023-02-29"],
  [{ type: "string", format: "date-time" }, "2024-02-29T10:00:00Z", "2024-02-29 10:00"],
  [{ type: "string", minLength: 2, maxLength: 2 }, "😀😀", "😀"],
  [{ type: "integer" }, 3, 3.5],
  [{ type: "number", minimum: 1, maximum: 2 }, 1.5, 2.1],
  [{ type: "number" }, -0.1, "1"],
  [{ type: "boolean" }, false, "false"],
  [{ type: "string", enum: ["a", "b"] }, "a", "c"],
  [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, "a", "A"],
  [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 1 }, ["a"], ["a", "b"]],
  [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["a"], ["a", "a"]],
] satisfies readonly (readonly [object, Json, Json])[])(
  "of %j, %j fits and %j does not",
  (schema, right, wrong) => {
    const { fields } = asked({ f: schema });
    expect(checkElicitation(fields, { f: right })).toEqual([]);
    expect(checkElicitation(fields, { f: wrong })).toHaveLength(1);
  },
);

test("a problem names the field and what would be right, and not what was typed", () => {
  const { fields } = asked({ f: { type: "string", format: "email" }, g: { type: "string" } }, ["g"]);
  const problems = checkElicitation(fields, { f: "my password" });
  expect(problems).toEqual(['"f" must be an e-mail address.', '"g" is required.']);
});

test("a field that looks like a secret is pointed out", () => {
  expect(asked({ apiKey: { type: "string" }, colour: { type: "string" } }).warnings).toEqual([
    expect.stringContaining('"apiKey" looks like a secret'),
  ]);
});
