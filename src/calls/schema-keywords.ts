import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";

/** What kind of value a keyword takes. A `repeated schema` runs once for each member of the value. */
export type KeywordKind =
  | "schema"
  | "repeated schema"
  | "schemas"
  | "named schemas"
  | "patterned schemas"
  | "pattern"
  | PlainKind;

type PlainKind = "number" | "count" | "flag" | "names" | "named names" | "types" | "values" | "value";

/** Every keyword of JSON Schema 2020-12 that says something about a value; all others are annotations. */
export const keywordKinds: Readonly<Record<string, KeywordKind>> = {
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
  then: "schema",
  else: "schema",
  items: "repeated schema",
  contains: "repeated schema",
  propertyNames: "repeated schema",
  additionalProperties: "repeated schema",
  unevaluatedItems: "repeated schema",
  unevaluatedProperties: "repeated schema",
  allOf: "schemas",
  anyOf: "schemas",
  oneOf: "schemas",
  prefixItems: "schemas",
  properties: "named schemas",
  dependentSchemas: "named schemas",
  patternProperties: "patterned schemas",
  pattern: "pattern",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "count",
  maxLength: "count",
  minItems: "count",
  maxItems: "count",
  minProperties: "count",
  maxProperties: "count",
  minContains: "count",
  maxContains: "count",
  uniqueItems: "flag",
  required: "names",
  dependentRequired: "named names",
  type: "types",
  enum: "values",
  const: "value",
};

const types = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);

/** The value of a keyword that holds no schema, or undefined when it is none that the keyword can have. */
export function readPlain(keyword: string, kind: PlainKind, value: Json): Json | undefined {
  switch (kind) {
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
      return keyword === "multipleOf" && value <= 0 ? undefined : value;
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined;
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "names":
      return names(value);
    case "named names":
      return isObject(value) && Object.values(value).every((list) => names(list)) ? value : undefined;
    case "types": {
      const list = Array.isArray(value) ? value : [value];
      const known = list.length > 0 && list.every((type) => typeof type === "string" && types.has(type));
      return known ? [...new Set<Json>(list)] : undefined;
    }
    case "values":
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case "value":
      return value;
  }
}

function names(value: Json): Json | undefined {
  return Array.isArray(value) && value.every((name) => typeof name === "string")
    ? [...new Set<Json>(value)]
    : undefined;
}

/** The keywords of a schema with those of older drafts in their 2020-12 form. */
export function modernKeywords(node: JsonObject): JsonObject {
  const modern: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === "items" && Array.isArray(value)) {
      modern.push(["prefixItems", value]);
      const rest = own(node, "additionalItems");
      if (rest !== undefined) modern.push(["items", rest]);
    } else if (keyword === "dependencies" && isObject(value)) {
      modern.push(...dependencies(value));
    } else if (keyword === "minimum" || keyword === "maximum") {
      const exclusive = keyword === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
      modern.push([own(node, exclusive) === true ? exclusive : keyword, value]);
    } else if (keyword.startsWith("exclusiveM") && typeof value === "boolean") {
      // Draft 4: it only says how `minimum` or `maximum` is meant.
    } else modern.push([keyword, value]);
  }
  return Object.fromEntries(modern);
}

function dependencies(value: JsonObject): [string, Json][] {
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  const schemas = Object.entries(value).filter(([, member]) => !Array.isArray(member));
  const both: [string, Json][] = [];
  if (lists.length > 0) both.push(["dependentRequired", Object.fromEntries(lists)]);
  if (schemas.length > 0) both.push(["dependentSchemas", Object.fromEntries(schemas)]);
  return both;
}
