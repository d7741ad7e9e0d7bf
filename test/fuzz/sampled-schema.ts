import fc from "fast-check";
import type { Json, JsonObject } from "../../src/types/json.ts";

/** A schema, and a value that follows it. `definitions` is what its references lead to. */
interface Sampled {
  readonly schema: Json;
  readonly value: Json;
  readonly definitions: Readonly<Record<string, Json>>;
}

/** Property keys: plain ones, and those that some API or some code stumbles over. */
const hostileKeys: readonly string[] = [
  ..."a b q path items type properties required enum const $ref $defs default".split(" "),
  ..."constructor toString hasOwnProperty __proto__ a.b x-y a_b".split(" "),
  "a b",
  "types[]",
  "StartTime<",
  "日付",
  "กาแฟ ☕",
  "",
  "\ud800",
  "k".repeat(64),
  "k".repeat(65),
  "k".repeat(200),
  '"quoted"',
  "back\\slash",
  "line\nbreak",
];

const texts: readonly string[] = [
  "",
  "a",
  "x y",
  "2026-11-30",
  "น้ำ 🙂",
  "null",
  "\u0000",
  "a@example.org",
  '{"a":1}',
];

/** `if`, `then`, `else`. */
const conditional = (...parts: readonly Json[]): JsonObject =>
  Object.fromEntries(["if", "then", "else"].map((keyword, index) => [keyword, parts[index] ?? {}]));

const plain = (schema: Json, value: Json): Sampled => ({ schema, value, definitions: {} });

const leaf: fc.Arbitrary<Sampled> = fc.oneof(
  fc
    .record({
      value: fc.constantFrom(...texts),
      format: fc.constantFrom("uri", "date-time", "x-corp-id", "email"),
    })
    .map(({ value, format }) => plain({ type: "string", format, maxLength: 20 }, value)),
  fc.constantFrom(...texts).map((value) => plain({ type: "string", description: "A text." }, value)),
  fc.constantFrom<Sampled>(
    plain({ type: "string", pattern: "^[a-z]+$", minLength: 2 }, "abc"),
    plain({ type: "string", pattern: "^(?=.*a).+$" }, "bab"),
    plain({ type: "integer", minimum: 1, maximum: 9 }, 3),
    plain({ type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 }, 9),
    plain({ type: "number", exclusiveMinimum: 0.5, multipleOf: 0.5 }, 1.5),
    plain({ type: "number", maximum: 1e300 }, -0.25),
    plain({ type: "boolean", default: true }, false),
    plain({ type: "null" }, null),
    plain({ type: ["string", "null"] }, null),
    plain({ type: ["integer", "string"], minimum: 2 }, "a"),
    plain({ type: ["number", "null"] }, 3),
    plain({ enum: ["a", "b"] }, "b"),
    plain({ enum: [1, 2, 3] }, 2),
    plain({ enum: ["a", 1, null, true, { x: 1 }] }, null),
    plain({ type: "string", enum: ["", "a"] }, ""),
    plain({ const: "fixed" }, "fixed"),
    plain({ const: 7 }, 7),
    plain({ const: null }, null),
    plain({}, { anything: [1, null] }),
    plain(true, "whatever"),
    plain({ type: "object" }, { free: 1 }),
    plain({ type: "array" }, [1, "a"]),
    plain({ not: { type: "string" } }, 1),
    plain({ type: "string", title: "T", "x-hint": { a: 1 }, examples: ["e"], deprecated: true }, "e"),
    plain(conditional({ type: "string" }, { minLength: 1 }, { type: "integer" }), 4),
    plain({ type: "object", patternProperties: { "^x": { type: "integer" } }, minProperties: 1 }, { x1: 1 }),
    plain({ type: "object", propertyNames: { pattern: "^[a-z]$" } }, { a: 1 }),
    plain({ type: "array", contains: { type: "integer" }, uniqueItems: true }, ["a", 1]),
    plain({ type: "object", dependentRequired: { a: ["b"] } }, { a: 1, b: 2 }),
  ),
);

interface Member {
  readonly key: string;
  readonly sampled: Sampled;
  readonly required: boolean;
  readonly given: boolean;
}

const merged = (all: readonly Sampled[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(all.flatMap(({ definitions }) => Object.entries(definitions)));

function objectOf(members: readonly Member[], rest: JsonObject, extra: JsonObject): Sampled {
  const given = members.filter((member) => member.given || member.required);
  const required = members.filter((member) => member.required).map(({ key }) => key);
  const own = Object.fromEntries(given.map(({ key, sampled }) => [key, sampled.value]));
  const properties = Object.fromEntries(members.map(({ key, sampled }) => [key, sampled.schema]));
  return {
    schema: { type: "object", properties, ...(required.length === 0 ? {} : { required }), ...rest },
    value: { ...extra, ...own },
    definitions: merged(members.map(({ sampled }) => sampled)),
  };
}

/** How an object takes members that it does not name, with such members. */
const openness: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.constantFrom<
  readonly [JsonObject, JsonObject]
>(
  [{}, {}],
  [{}, { unnamed: 1 }],
  [{ additionalProperties: false }, {}],
  [{ additionalProperties: true }, { unnamed: "x" }],
  [{ additionalProperties: { type: "integer" } }, { unnamed: 5 }],
  [{ additionalProperties: {} }, { "un named": null }],
  [{ unevaluatedProperties: false }, {}],
);

/** Definitions by names that are hard to point to; two of one name rarely meet. */
const definitionName = fc
  .tuple(fc.constantFrom("A", "Task", "a b", "a/b", "t~x", "日付", "%20", "allOf"), fc.nat(9_999))
  .map(([name, number]) => `${name}${number}`);

function referenced(
  { schema, value, definitions }: Sampled,
  name: string,
  place: string,
  more: JsonObject,
): Sampled {
  const pointer = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
  return {
    schema: { $ref: `#/${place}/${pointer}`, ...more },
    value,
    definitions: { ...definitions, [name]: schema },
  };
}

const places = ["$defs", "definitions"] as const;
type DefinitionPlace = (typeof places)[number];

/** Schemas with a value each, of every keyword in use; definitions stand at `place`. */
function sampledAt(place: DefinitionPlace): { node: fc.Arbitrary<Sampled>; object: fc.Arbitrary<Sampled> } {
  return fc.letrec<{ node: Sampled; object: Sampled }>((tie) => ({
    object: fc
      .tuple(
        fc.uniqueArray(
          fc.record({
            key: fc.constantFrom(...hostileKeys),
            sampled: tie("node"),
            required: fc.boolean(),
            given: fc.boolean(),
          }),
          { maxLength: 4, selector: ({ key }) => key },
        ),
        openness,
      )
      .map(([members, [rest, extra]]) => objectOf(members, rest, extra)),
    node: fc.oneof(
      { depthSize: "small", maxDepth: 3, withCrossShrink: true },
      { weight: 6, arbitrary: leaf },
      { weight: 2, arbitrary: tie("object") },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie("node"), fc.integer({ min: 0, max: 2 }))
          .map(([{ schema, value, definitions }, count]) => ({
            schema: { type: "array", items: schema, maxItems: 2 },
            value: Array.from({ length: count }, () => value),
            definitions,
          })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(tie("node"), tie("node"), fc.boolean()).map(([first, second, old]) => ({
          schema: old
            ? { type: "array", items: [first.schema, second.schema], additionalItems: false }
            : { type: "array", prefixItems: [first.schema, second.schema], items: false },
          value: [first.value, second.value],
          definitions: merged([first, second]),
        })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), tie("node"), tie("node"))
          .map(([keyword, first, second]) => ({
            schema: { [keyword]: keyword === "allOf" ? [first.schema, {}] : [first.schema, second.schema] },
            value: first.value,
            definitions: merged([first, second]),
          })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            tie("node"),
            definitionName,
            fc.constantFrom<JsonObject>({}, { description: "d" }, { type: "string" }),
          )
          .map(([sampled, name, more]) => referenced(sampled, name, place, more)),
      },
    ),
  }));
}

/** Of two groups, the one that is followed says nothing of a property, and the other one says what it is not. */
function elsewhere(object: JsonObject, value: Json, keyword: "anyOf" | "oneOf"): JsonObject {
  const [key = "a"] = Object.keys(Object(value));
  const { properties, required, ...rest } = object;
  const others = Object.entries(Object(properties) as JsonObject).filter(([name]) => name !== key);
  const group = { ...rest, properties: Object.fromEntries(others) };
  const other = { properties: Object.fromEntries([[key, { const: "never" }]]), required: ["never"] };
  return { type: "object", [keyword]: [group, { type: "object", ...other }] };
}

/** What the root of a tool's input schema may look like around the same object. */
const roots: readonly ((object: JsonObject, value: Json) => JsonObject)[] = [
  (object) => object,
  (object) => object,
  (object) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", ...object }),
  (object) => ({ $schema: "http://json-schema.org/draft-07/schema#", $id: "tool.v1", ...object }),
  (object) => ({ ...object, type: ["object"] }),
  ({ type: _, ...rest }) => rest,
  (object, value) => ({
    ...object,
    anyOf: [{ required: Object.keys(Object(value)) }, { required: ["never"] }],
  }),
  (object, value) => ({
    ...object,
    oneOf: [{ required: Object.keys(Object(value)) }, { required: ["never"] }],
  }),
  (object) => ({ type: "object", allOf: [object, { description: "All of it." }] }),
  (object) => ({
    type: "object",
    oneOf: [object, { type: "object", required: ["never"], properties: { never: {} } }],
  }),
  (object, value) => elsewhere(object, value, "anyOf"),
  (object, value) => elsewhere(object, value, "oneOf"),
  (object) => ({ ...object, not: { required: ["never"] } }),
  (object) => ({ ...object, ...conditional({ required: ["never"] }, { required: ["a"] }) }),
];

/** A tool's input schema with arguments that follow it. */
export interface SampledTool {
  readonly schema: JsonObject;
  readonly arguments: JsonObject;
}

const recursive: SampledTool = {
  schema: {
    type: "object",
    properties: { child: { $ref: "#" }, name: { type: "string" } },
    required: ["name"],
  },
  arguments: { name: "a", child: { name: "b", child: { name: "c" } } },
};

export const sampledTool: fc.Arbitrary<SampledTool> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(recursive) },
  { weight: 1, arbitrary: fc.constant({ schema: { type: "object" }, arguments: {} }) },
  ...places.map((place) => ({
    weight: 12,
    arbitrary: fc
      .tuple(sampledAt(place).object, fc.constantFrom(...roots))
      .map(([{ schema, value, definitions }, root]): SampledTool => {
        const rooted = root(schema as JsonObject, value);
        const own = Object.keys(definitions).length === 0 ? {} : { [place]: definitions };
        return { schema: { ...rooted, ...own }, arguments: value as JsonObject };
      }),
  })),
);
