import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";
import { createSchemaLowering, type LoweredSchema, type SchemaLowering } from "../schema/lower.ts";
import { jsonDialect, openApiDialect } from "./dialect.ts";
import { isOpenApiSchema } from "./open-api.ts";

/** Nesting that is looked into; the lowering sends nothing that is deeper. */
const depthLimit = 64;

/**
 * Lowers the schema of a tool's arguments to the fields of a function's declaration that hold it: `parameters`, the
 * API's own `Schema`, where that says everything, or else `parametersJsonSchema`, which knows maps, tuples and enums of
 * numbers, but not `nullable`. `LoweredSchema.json` is `"parameters":{…}`, `"parametersJsonSchema":{…}`, or empty for a
 * tool without parameters.
 */
export function createParameterLowering(): SchemaLowering {
  const lowerOpenApi = createSchemaLowering(openApiDialect);
  const lowerJson = createSchemaLowering(jsonDialect);
  const lowered = new WeakMap<JsonObject, LoweredSchema>();
  return (original) => {
    const known = lowered.get(original);
    if (known !== undefined) return known;
    const schema = withoutSingleAllOf(original, depthLimit) as JsonObject;
    const made = needsJsonSchema(schema, depthLimit)
      ? jsonForm(lowerJson(schema))
      : (openApiForm(lowerOpenApi(schema)) ?? jsonForm(lowerJson(schema)));
    lowered.set(original, made);
    return made;
  };
}

/** The field `parameters`, or null when the API's `Schema` cannot say it. */
function openApiForm(lowered: LoweredSchema): LoweredSchema | null {
  const schema = withoutKeyword(JSON.parse(lowered.json) as JsonObject, "additionalProperties");
  const { properties, ...rest } = schema;
  if (isObject(properties) && Object.keys(properties).length === 0) {
    const empty = Object.keys(rest).every((name) => name === "type" || name === "title");
    return empty ? { ...lowered, json: "" } : null;
  }
  return isOpenApiSchema(schema) ? { ...lowered, json: `"parameters":${stableJson(schema)}` } : null;
}

/** `not: {}`, which nothing follows, stands for a schema that is `false`: JSON Schema is read without it. */
function jsonForm(lowered: LoweredSchema): LoweredSchema {
  const schema = withoutKeyword(JSON.parse(lowered.json) as JsonObject, "not");
  return { ...lowered, json: `"parametersJsonSchema":${stableJson(schema)}` };
}

/** A lowered schema without a keyword, at any depth. */
function withoutKeyword(schema: JsonObject, keyword: string): JsonObject {
  const inner = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? withoutKeyword(value as JsonObject, keyword) : value;
  };
  const entries = Object.entries(schema).flatMap(([name, member]) => {
    if (name === keyword) return [];
    if (name !== "properties" || !isObject(member)) return [[name, inner(member)] as const];
    const named = Object.entries(member as JsonObject).map(([key, one]) => [key, inner(one)] as const);
    return [[name, Object.fromEntries(named)] as const];
  });
  return Object.fromEntries(entries);
}

/** Whether a schema says something that the API's `Schema` has no word for, and JSON Schema has. */
function needsJsonSchema(value: Json, levels: number): boolean {
  if (levels === 0 || typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => needsJsonSchema(item, levels - 1));
  const { additionalProperties, prefixItems, items, oneOf, enum: values, const: only } = value as JsonObject;
  if (isObject(additionalProperties) || [prefixItems, items, oneOf].some(Array.isArray)) return true;
  if (typeof only === "number") return true;
  if (Array.isArray(values) && values.some((one) => typeof one === "number")) return true;
  return Object.values(value as JsonObject).some((member) => needsJsonSchema(member, levels - 1));
}

/** Beside a single branch of `allOf` there is often only a description: both are one schema. */
function withoutSingleAllOf(value: Json, levels: number): Json {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSingleAllOf(item, levels - 1));
  const entries = Object.entries(value as JsonObject).map(
    ([name, member]) => [name, withoutSingleAllOf(member, levels - 1)] as const,
  );
  const node = Object.fromEntries(entries) as JsonObject;
  const { allOf, ...rest } = node;
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
  const describes = Object.keys(rest).every((name) => describing.has(name));
  return isObject(only) && describes ? { ...(only as JsonObject), ...rest } : node;
}

const describing: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);
