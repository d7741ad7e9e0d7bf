import type { Json } from "../../types/json.ts";

type Check = (value: Json) => boolean;

const isString: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isList: Check = (value) => Array.isArray(value);
const isAnything: Check = () => true;

const typeNames = new Set<Json>("array boolean integer null number object string".split(" "));

const isType: Check = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((name) => typeNames.has(name)) && new Set(value).size === value.length
    : typeNames.has(value);

/** Keywords without schemas inside, and what their value must be in draft 2020-12. */
export const plainKeywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["type", isType],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["const", isAnything],
  ["default", isAnything],
  ["examples", isList],
  ["title", isString],
  ["description", isString],
  ["$comment", isString],
  ["format", isString],
  ["contentEncoding", isString],
  ["contentMediaType", isString],
  ["deprecated", isBoolean],
  ["readOnly", isBoolean],
  ["writeOnly", isBoolean],
  ["uniqueItems", isBoolean],
  ["minimum", isNumber],
  ["maximum", isNumber],
  ["exclusiveMinimum", isNumber],
  ["exclusiveMaximum", isNumber],
  ["multipleOf", (value) => isNumber(value) && Number(value) > 0],
  ["minLength", isCount],
  ["maxLength", isCount],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["minContains", isCount],
  ["maxContains", isCount],
  ["minProperties", isCount],
  ["maxProperties", isCount],
]);

/** Keywords that only describe: without them a schema allows the same. */
export const annotations: ReadonlySet<string> = new Set(
  "title description $comment default examples deprecated readOnly writeOnly format contentEncoding contentMediaType".split(
    " ",
  ),
);

/** Keywords about the document itself, `id` up to draft 4. They are not sent: every reference that is sent is local. */
export const documentKeywords: ReadonlySet<string> = new Set(
  "$schema $id id $anchor $vocabulary $dynamicAnchor $recursiveAnchor".split(" "),
);
