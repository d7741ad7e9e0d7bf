import { isObject } from "../../src/util/own.ts";

/** What about a schema some API refuses. */
export type SchemaHazard =
  | "combinators at the root"
  | "more than an object at the root"
  | "combinators"
  | "reference"
  | "older draft"
  | "odd property key"
  | "long property key"
  | "object without properties"
  | "array without items"
  | "items or properties without their type"
  | "node without a type"
  | "enum"
  | "enum of others than strings"
  | "empty text in an enum"
  | "const"
  | "list of types"
  | "format"
  | "exclusive bound"
  | "pattern or long repetition"
  | "schema of true or false"
  | "required without its property";

const combinators = ["anyOf", "oneOf", "allOf"];
const has = (schema: Record<string, unknown>, names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(schema, name));

/** The hazards of one node, without those inside it. */
function ofNode(schema: Record<string, unknown>): SchemaHazard[] {
  const { type, enum: values, items, properties, required } = schema;
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const is = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  const list = Array.isArray(values) ? values : [];
  const found: readonly (readonly [boolean, SchemaHazard])[] = [
    [has(schema, combinators), "combinators"],
    [has(schema, ["$ref"]), "reference"],
    [has(schema, ["definitions", "additionalItems"]) || Array.isArray(items), "older draft"],
    [/draft-0[3-7]/.test(String(schema.$schema)), "older draft"],
    [keys.some((key) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(key)), "odd property key"],
    [keys.some((key) => key.length > 64), "long property key"],
    [is("object") && !isObject(properties), "object without properties"],
    [is("array") && items === undefined, "array without items"],
    [
      type === undefined && (items !== undefined || isObject(properties)),
      "items or properties without their type",
    ],
    [type === undefined, "node without a type"],
    [list.length > 0, "enum"],
    [list.some((value) => typeof value !== "string"), "enum of others than strings"],
    [list.includes(""), "empty text in an enum"],
    [has(schema, ["const"]), "const"],
    [Array.isArray(type), "list of types"],
    [has(schema, ["format"]), "format"],
    [has(schema, ["exclusiveMinimum", "exclusiveMaximum"]), "exclusive bound"],
    [
      has(schema, ["pattern", "patternProperties"]) || Number(schema.maxLength) > 256,
      "pattern or long repetition",
    ],
    [
      Array.isArray(required) && required.some((key) => !keys.includes(String(key))),
      "required without its property",
    ],
  ];
  return found.flatMap(([holds, hazard]) => (holds ? [hazard] : []));
}

function walk(value: unknown, found: Set<SchemaHazard>, depth: number): void {
  if (depth === 0) return;
  if (Array.isArray(value)) for (const item of value) walk(item, found, depth - 1);
  if (!isObject(value)) return;
  for (const hazard of ofNode(value)) found.add(hazard);
  for (const [name, member] of Object.entries(value)) {
    if (name === "properties" && isObject(member)) {
      for (const one of Object.values(member)) {
        if (typeof one === "boolean") found.add("schema of true or false");
        walk(one, found, depth - 1);
      }
    } else if (name !== "enum" && name !== "const" && name !== "default") walk(member, found, depth - 1);
  }
}

/** Everything about a tool's input schema that some API refuses. */
export function schemaHazards(schema: Record<string, unknown>): ReadonlySet<SchemaHazard> {
  const found = new Set<SchemaHazard>();
  if (has(schema, combinators)) found.add("combinators at the root");
  if (has(schema, ["enum", "not", "const"])) found.add("more than an object at the root");
  walk(schema, found, 24);
  return found;
}
