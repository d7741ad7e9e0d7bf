import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { openApiKeywords } from "./dialect.ts";

const anywhere: readonly string[] = ["title", "description", "nullable"];

/** Keywords that may stand in a schema of a type, beside those that may stand anywhere. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["type", "format", "enum", "minLength", "maxLength"],
  number: ["type", "minimum", "maximum"],
  integer: ["type", "minimum", "maximum"],
  boolean: ["type"],
  array: ["type", "items", "minItems", "maxItems"],
  object: ["type", "properties", "required", "minProperties", "maxProperties"],
};

/**
 * Whether the API's `Schema` takes a schema, by its predicates: one type everywhere, properties of every object, items
 * of every array, enums of strings that are not empty, keywords only beside the type that they are about.
 */
export function isOpenApiSchema(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  const node = schema as JsonObject;
  if (!Object.keys(node).every((name) => openApiKeywords.has(name))) return false;
  if (Array.isArray(node.anyOf)) {
    const alone = Object.keys(node).every((name) => name === "anyOf" || anywhere.includes(name));
    return alone && node.anyOf.length > 0 && node.anyOf.every(isOpenApiSchema);
  }
  const { type } = node;
  const allowed =
    typeof type === "string" && Object.hasOwn(keywordsOfType, type) ? keywordsOfType[type] : undefined;
  if (allowed === undefined) return false;
  if (!Object.keys(node).every((name) => allowed.includes(name) || anywhere.includes(name))) return false;
  if (type === "array") return isOpenApiSchema(node.items);
  if (type === "object") return isOpenApiObject(node);
  return node.enum === undefined || (Array.isArray(node.enum) && node.enum.every(isWord));
}

function isOpenApiObject({ properties, required = [] }: JsonObject): boolean {
  if (!isObject(properties) || Object.keys(properties).length === 0) return false;
  const known = (name: Json): boolean => typeof name === "string" && Object.hasOwn(properties, name);
  return (
    Array.isArray(required) &&
    required.every(known) &&
    Object.values(properties as JsonObject).every(isOpenApiSchema)
  );
}

function isWord(value: Json): boolean {
  return typeof value === "string" && value !== "";
}
