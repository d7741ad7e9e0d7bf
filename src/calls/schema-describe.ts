import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";
import { visibleLine } from "../util/visible.ts";

const longestValue = 80;
const longestDescription = 240;
const maxAlternatives = 10;

const typeNames: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  number: "a number",
  integer: "an integer",
  string: "a string",
  array: "an array",
  object: "an object",
};

/** A value as it may be repeated to the model: scalars up to 80 characters, others by kind. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return "an object";
  const text = visibleLine(JSON.stringify(value) ?? "nothing");
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** What a prepared schema accepts, as the end of "must be …". */
export function describeSchema(schema: Json | undefined, root: JsonObject, depth = 0): string {
  if (schema === undefined || schema === true || !isObject(schema) || depth > 3) return "something else";
  const text = describeNode(schema, root, depth) || "something else";
  return text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text;
}

function describeNode(schema: JsonObject, root: JsonObject, depth: number): string {
  const constant = own(schema, "const");
  if (constant !== undefined) return shownValue(constant);
  const values = own(schema, "enum");
  if (Array.isArray(values)) return `${values.length > 1 ? "one of " : ""}${list(values.map(shownValue))}`;
  const reference = own(schema, "$ref");
  if (typeof reference === "string") return describeSchema(referenced(reference, root), root, depth + 1);
  const alternatives = own(schema, "anyOf") ?? own(schema, "oneOf");
  const types = own(schema, "type");
  if (Array.isArray(alternatives) && types === undefined) {
    return describeAlternatives(alternatives, root, depth + 1);
  }
  const names = Array.isArray(types) ? types.map((type) => own(typeNames, String(type)) ?? "") : [];
  return [names.join(" or ") || impliedType(schema), ...limits(schema, root, depth)].join(" ").trim();
}

/** The branches of an `anyOf` or `oneOf`, joined with "or". */
export function describeAlternatives(branches: unknown, root: JsonObject, depth = 0): string {
  const some: readonly Json[] = Array.isArray(branches) ? branches.slice(0, 5) : [];
  return [...new Set(some.map((branch) => describeSchema(branch, root, depth + 1)))].join(", or ");
}

function impliedType(schema: JsonObject): string {
  const has = (...keywords: string[]) => keywords.some((keyword) => own(schema, keyword) !== undefined);
  if (has("required", "properties", "minProperties", "maxProperties")) return "an object";
  return has("minLength", "maxLength", "pattern") ? "a string" : "";
}

function referenced(reference: string, root: JsonObject): Json | undefined {
  if (reference === "#") return root;
  const definitions = own(root, "$defs");
  return isObject(definitions) ? own(definitions, reference.slice("#/$defs/".length)) : undefined;
}

function list(texts: readonly string[]): string {
  const more = texts.length - maxAlternatives;
  return texts.slice(0, maxAlternatives).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function limits(schema: JsonObject, root: JsonObject, depth: number): string[] {
  const found: string[] = [];
  const say = (keyword: string, before: string, after = "") => {
    const value = own(schema, keyword);
    if (typeof value === "number") found.push(`${before} ${value}${after}`);
  };
  say("minimum", "at least");
  say("exclusiveMinimum", "greater than");
  say("maximum", "at most");
  say("exclusiveMaximum", "less than");
  say("multipleOf", "that is a multiple of");
  say("minLength", "of at least", " characters");
  say("maxLength", "of at most", " characters");
  say("minItems", "of at least", " items");
  say("maxItems", "of at most", " items");
  say("minProperties", "with at least", " members");
  say("maxProperties", "with at most", " members");
  const pattern = own(schema, "pattern");
  if (typeof pattern === "string") found.push(`that matches the pattern ${shownValue(pattern)}`);
  const required = own(schema, "required");
  if (Array.isArray(required) && required.length > 0) found.push(`with ${list(required.map(shownValue))}`);
  const items = own(schema, "items");
  if (isObject(items)) found.push(`where each item is ${describeSchema(items, root, depth + 1)}`);
  if (own(schema, "uniqueItems") === true) found.push("without repeated items");
  return found;
}
