import { HostError } from "../../../errors.ts";
import type { Json, JsonObject } from "../../../types/json.ts";
import { isObject, own } from "../../../util/own.ts";
import { visibleLine } from "../../../util/visible.ts";

type Type = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";
const types: ReadonlySet<string> = new Set<Type>([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);
const isType = (value: unknown): value is Type => typeof value === "string" && types.has(value);

/** Schemas that refer to themselves are followed this far. */
const mostSteps = 8;

/** The schema behind a `$ref` within the same document; the schema itself without one. */
function resolved(schema: unknown, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < mostSteps; step++) {
    if (!isObject(current) || typeof current.$ref !== "string") break;
    const path = /^#\/(.+)$/.exec(current.$ref)?.[1]?.split("/") ?? [];
    current = path.reduce<unknown>((at, key) => {
      return isObject(at) ? own(at, key.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
    }, root);
  }
  return isObject(current) ? (current as JsonObject) : {};
}

/** The types that a schema takes, in the order of its words; empty when it does not say. */
function typesOf(schema: JsonObject, root: JsonObject, depth = 0): readonly Type[] {
  if (isType(schema.type)) return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.filter(isType);
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : [];
  if (values.length > 0) return [...new Set(values.map(typeOf))];
  if (depth >= mostSteps) return [];
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat();
  return [...new Set(parts.flatMap((part) => typesOf(resolved(part, root), root, depth + 1)))];
}

function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return isType(type) ? type : "object";
}

/** The types of one argument by the tool's inputSchema, for a person: `string or null`; empty when it does not say. */
export function typeText(inputSchema: JsonObject, key: string): string {
  const { properties } = inputSchema;
  const schema = isObject(properties) ? own(properties, key) : undefined;
  return typesOf(resolved(schema, inputSchema), inputSchema).join(" or ");
}

/**
 * The value of `key=value` as the schema wants it: text where it takes text, else a number, a boolean, null or JSON.
 * Several values, and one for an array that is no JSON array itself, are an array's items.
 * @throws HostError `config_invalid` when a value is none of what the schema takes
 */
export function typedValue(key: string, texts: readonly string[], inputSchema: JsonObject): Json {
  const { properties } = inputSchema;
  const schema = resolved(isObject(properties) ? own(properties, key) : undefined, inputSchema);
  const wanted = typesOf(schema, inputSchema);
  const [only] = texts;
  if (wanted.includes("array")) {
    const whole = texts.length === 1 && only !== undefined ? asJson(only, "array") : undefined;
    if (whole !== undefined) return whole;
    const items = resolved(arrayItems(schema, inputSchema), inputSchema);
    return texts.map((text) => scalar(key, text, typesOf(items, inputSchema)));
  }
  if (texts.length > 1 || only === undefined) {
    throw wrong(`${visibleLine(key)} is given ${texts.length} times, and takes one value.`);
  }
  return scalar(key, only, wanted);
}

/** The schema of the items, also where the array is one of several choices. */
function arrayItems(schema: JsonObject, root: JsonObject): unknown {
  if (schema.items !== undefined) return schema.items;
  const choices = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat();
  return choices.map((choice) => resolved(choice, root)).find(({ items }) => items !== undefined)?.items;
}

function scalar(key: string, text: string, wanted: readonly Type[]): Json {
  // What a schema does not say is text: anything else can be written as key:=JSON.
  if (wanted.length === 0) return text;
  for (const type of wanted) {
    const value = type === "string" ? undefined : asJson(text, type);
    if (value !== undefined) return value;
  }
  if (wanted.includes("string")) return text;
  const shown = visibleLine(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  throw wrong(`${visibleLine(key)} takes ${wanted.join(" or ")}, not "${shown}".`);
}

/** The text as JSON of this type; undefined when it is none. */
function asJson(text: string, type: Type): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = typeOf(value);
  const fits = found === type || (type === "integer" && Number.isSafeInteger(value));
  return fits ? value : undefined;
}

function wrong(message: string): HostError {
  return new HostError("config_invalid", message);
}
