import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { surelyValid } from "../../src/models/offline/check.ts";
import { fillArguments } from "../../src/models/offline/fill.ts";
import { parseQuestion } from "../../src/models/offline/question.ts";
import { factsOf } from "../../src/models/offline/tool-facts.ts";
import type { Json, JsonObject } from "../../src/types/json.ts";
import type { Message } from "../../src/types/message.ts";
import type { ServerTool } from "../../src/types/tool.ts";
import { callsOf, question, respond } from "./ask.ts";
import { snapshotOf } from "./servers.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false, ownProperties: true });

/** A schema that is no schema judges nothing: a host keeps such a tool from the model. */
function accepts(schema: JsonObject, value: Json): boolean {
  let check: ReturnType<typeof ajv.compile>;
  try {
    check = ajv.compile(schema);
  } catch {
    return true;
  }
  return check(value) === true;
}

const words =
  "find all TODO comments read delete create run echo add name path 'a b' \"x\" src/a.ts *.ts 3 -7 99999999999999999999 k=v Ada " +
  "fooBar https://a.b/c in from to for of type the and then . , ? __proto__ constructor named called first lines `ls -l` small";
const vocabulary = words.split(" ");
const phrase = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 3, maxLength: 14, size: "medium" })
  .map((list) => list.join(" "));
const verb = fc.constantFrom("find", "read", "echo", "create", "run", "add", "delete");
const order = fc.tuple(verb, phrase).map((parts) => parts.join(" "));
const asked = fc.oneof(
  order,
  order,
  phrase,
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ maxLength: 80 }),
);

const names = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "path",
      "pattern",
      "message",
      "name",
      "count",
      "a",
      "b",
      "type",
      "program",
      "args",
      "glob",
      "url",
      "__proto__",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);
const size = fc.nat({ max: 6 });
const plain = fc.constantFrom<JsonObject>(
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "array", items: { type: "string" } },
);
const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: plain },
  fc.record({ type: fc.constant("string"), minLength: size, maxLength: size }, { requiredKeys: ["type"] }),
  fc.record(
    { type: fc.constantFrom("number", "integer"), minimum: size, maximum: size },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constantFrom("boolean", "null") }),
  fc.record({
    type: fc.constant("string"),
    enum: fc.array(fc.constantFrom("small", "a b", "TODO", ""), { minLength: 1 }),
  }),
  fc.record({
    type: fc.constant("string"),
    description: fc.constantFrom("`|` separates", "small"),
    default: fc.jsonValue() as fc.Arbitrary<Json>,
  }),
  fc.constantFrom<JsonObject>(
    {},
    { not: {} },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { $ref: "#/x" },
    { const: "small" },
  ),
);
const { schema: anySchema } = fc.letrec<{ schema: JsonObject; object: JsonObject; list: JsonObject }>(
  (tie) => ({
    schema: fc.oneof({ depthSize: "small" }, leaf, tie("object"), tie("list")),
    object: fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("schema"), { maxKeys: 4 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ["type", "properties"] },
    ),
    list: fc.record(
      { type: fc.constant("array"), items: tie("schema"), minItems: size },
      { requiredKeys: ["type", "items"] },
    ),
  }),
);
const properties = fc.dictionary(
  names,
  fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: anySchema }),
  { maxKeys: 4 },
);
const inputSchema: fc.Arbitrary<JsonObject> = properties.chain((made) =>
  fc.record({
    type: fc.constant("object"),
    properties: fc.constant(made),
    required: fc.subarray(Object.keys(made).slice(0, 2)),
    additionalProperties: fc.boolean(),
  }),
);
/** Schemas that are easy to fill, so that many calls are made. */
const easySchema: fc.Arbitrary<JsonObject> = fc
  .dictionary(names, plain, { minKeys: 1, maxKeys: 3 })
  .map((made) => ({ type: "object", properties: made, required: Object.keys(made) }));
const anyTool: fc.Arbitrary<ServerTool> = fc.record({
  name: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom("search_files", "read_file", "echo", "create", "run_command", "get-sum"),
    },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  ),
  description: fc.oneof(phrase, fc.string({ maxLength: 60 })),
  inputSchema: fc.oneof(
    { weight: 3, arbitrary: inputSchema },
    { weight: 3, arbitrary: easySchema },
    { weight: 1, arbitrary: fc.object() as fc.Arbitrary<JsonObject> },
  ),
  annotations: fc.record(
    { readOnlyHint: fc.constantFrom(true, true, false), destructiveHint: fc.boolean() },
    { requiredKeys: [] },
  ),
});

test("no question and no tool make it throw, loop or propose arguments that break the schema", async () => {
  let proposed = 0;
  await fc.assert(
    fc.asyncProperty(
      asked,
      fc.uniqueArray(anyTool, { maxLength: 5, selector: (each) => each.name }),
      fc.string({ maxLength: 60 }),
      fc.boolean(),
      async (text, tools, said, isError) => {
        const snapshot = snapshotOf([{ name: "demo", tools }]);
        const messages: Message[] = [question(text)];
        const seen = new Set<string>();
        for (let turn = 0; turn <= 6; turn++) {
          const { message } = await respond(messages, snapshot);
          const calls = callsOf(message, snapshot);
          if (calls.length === 0) return;
          for (const call of calls) {
            proposed++;
            const schema = tools.find((each) => `demo/${each.name}` === call.tool)?.inputSchema ?? {};
            expect(accepts(schema, call.given), JSON.stringify({ schema, given: call.given })).toBe(true);
            const key = JSON.stringify(call);
            expect(seen.has(key.slice(key.indexOf("tool")))).toBe(false);
            seen.add(key.slice(key.indexOf("tool")));
          }
          const results = calls.map(
            (call) =>
              ({
                type: "tool_result",
                callId: call.id,
                content: [{ type: "text", text: said }],
                isError,
              }) as const,
          );
          messages.push(message, { role: "user", content: results });
        }
        throw new Error("it did not stop within six turns");
      },
    ),
    { numRuns: 600 },
  );
  expect(proposed).toBeGreaterThan(10);
});

test("whatever a tool's arguments are filled with fits its schema, or something is said to be missing", () => {
  let filledOnes = 0;
  fc.assert(
    fc.property(order, anyTool, (text, definition) => {
      const [facts] = snapshotOf([{ name: "demo", tools: [definition] }]).tools.map(factsOf);
      for (const goal of parseQuestion(text).goals) {
        if (facts === undefined) return;
        const filled = fillArguments(facts, goal);
        if (filled.missing.length > 0) continue;
        if (Object.keys(filled.arguments).length > 0) filledOnes++;
        expect(accepts(definition.inputSchema, JSON.parse(JSON.stringify(filled.arguments)))).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(filledOnes).toBeGreaterThan(30);
});

test("what the small check accepts, a whole validator accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anySchema, fc.jsonValue(), (schema, value) => {
      if (!surelyValid(schema, value as Json)) return;
      accepted++;
      expect(accepts(schema, value as Json)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
