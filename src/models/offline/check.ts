import type { Json, JsonObject } from "../../types/json.ts";
import { isObject, own } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";

const deepest = 24;

/** Keywords that change nothing about which values are valid, or that the host checks itself (`pattern`, `format`). */
const harmless = new Set(
  (
    "$schema $id $comment $defs definitions title description default examples example deprecated readOnly writeOnly format " +
    "pattern contentEncoding contentMediaType"
  ).split(" "),
);

type Rule = (given: Json, value: Json) => boolean;

const atLeast = (least: Json, size: number) => typeof least !== "number" || size >= least;
const atMost = (most: Json, size: number) => typeof most !== "number" || size <= most;

/** What each keyword asks of a value. One that is not here makes a schema uncheckable, and nothing is called with it. */
const rules: Readonly<Record<string, Rule>> = {
  type: (type, value) => (Array.isArray(type) ? type : [type]).some((name) => hasType(value, name)),
  enum: (values, value) => Array.isArray(values) && values.some((each: Json) => same(each, value)),
  const: (constant, value) => same(constant, value),
  minimum: (least, value) => typeof value !== "number" || atLeast(least, value),
  maximum: (most, value) => typeof value !== "number" || atMost(most, value),
  exclusiveMinimum: (least, value) => typeof value !== "number" || typeof least !== "number" || value > least,
  exclusiveMaximum: (most, value) => typeof value !== "number" || typeof most !== "number" || value < most,
  minLength: (least, value) => typeof value !== "string" || atLeast(least, [...value].length),
  maxLength: (most, value) => typeof value !== "string" || atMost(most, [...value].length),
  minItems: (least, value) => !Array.isArray(value) || atLeast(least, value.length),
  maxItems: (most, value) => !Array.isArray(value) || atMost(most, value.length),
  minProperties: (least, value) => !isObject(value) || atLeast(least, Object.keys(value).length),
  maxProperties: (most, value) => !isObject(value) || atMost(most, Object.keys(value).length),
  required: (names, value) =>
    !isObject(value) || !Array.isArray(names) || names.every((name) => Object.hasOwn(value, String(name))),
};

/**
 * Whether the schema surely accepts the value. Small on purpose: a keyword it does not know counts as a no, so that
 * no call is proposed that the host would refuse.
 */
export function surelyValid(schema: Json, value: Json, depth = 0): boolean {
  if (schema === true) return true;
  if (!isObject(schema) || depth > deepest) return false;
  const known = schema as JsonObject;
  return Object.keys(known).every((keyword) => {
    const given = known[keyword] as Json;
    if (harmless.has(keyword)) return true;
    const rule = own(rules, keyword);
    if (rule !== undefined) return rule(given, value);
    return partsValid(known, keyword, given, value, depth + 1);
  });
}

/** The keywords that hold schemas. */
function partsValid(schema: JsonObject, keyword: string, given: Json, value: Json, depth: number): boolean {
  const valid = (part: Json) => surelyValid(part, value, depth);
  switch (keyword) {
    case "anyOf":
      return Array.isArray(given) && given.some(valid);
    case "allOf":
      return Array.isArray(given) && given.every(valid);
    case "items":
      return !Array.isArray(value) || value.every((item: Json) => surelyValid(given, item, depth));
    case "properties":
      if (!isObject(value) || !isObject(given)) return true;
      return Object.keys(value).every(
        (name) => !Object.hasOwn(given, name) || surelyValid(given[name] as Json, value[name] as Json, depth),
      );
    case "additionalProperties": {
      if (!isObject(value)) return true;
      const named = own(schema, "properties");
      const others = Object.keys(value).filter((name) => !isObject(named) || !Object.hasOwn(named, name));
      return others.every((name) => surelyValid(given, value[name] as Json, depth));
    }
    default:
      return false;
  }
}

function same(a: Json, b: Json): boolean {
  return stableJson(a) === stableJson(b);
}

function hasType(value: Json, type: Json): boolean {
  switch (type) {
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    default:
      return type === typeof value && (type === "string" || type === "boolean");
  }
}
