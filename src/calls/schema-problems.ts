import type { ErrorObject } from "ajv";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";
import { visibleLine } from "../util/visible.ts";
import { describeAlternatives, describeSchema, shownValue } from "./schema-describe.ts";

const maxProblems = 5;
const maxNames = 12;
/** Later errors are not even looked at. */
const maxErrors = 200;

/** At most five sentences for the model: where, what is wrong, what would be right. `schema` is the prepared root. */
export function describeProblems(
  errors: readonly ErrorObject[],
  value: Json,
  schema: JsonObject,
): readonly string[] {
  const sentences = new Set<string>();
  for (const error of withoutBranches(errors)) sentences.add(describeError(error, value, schema));
  const all = [...sentences];
  if (all.length <= maxProblems) return all;
  const more = errors.length > maxErrors ? "many" : all.length - maxProblems;
  return [...all.slice(0, maxProblems), `and ${more} more problems`];
}

/** A branch's errors say less than its alternative as a whole, unless they are about something deeper. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const some = errors.slice(0, maxErrors);
  const alternatives = some.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  const isBranch = (error: ErrorObject, whole: ErrorObject) =>
    error.schemaPath.startsWith(`${whole.schemaPath}/`) ||
    (error.schemaPath.startsWith("#/$defs/") && error.instancePath === whole.instancePath);
  const isDeeper = (error: ErrorObject, whole: ErrorObject) =>
    error.instancePath.startsWith(`${whole.instancePath}/`);
  const kept = some.filter((error) => {
    if (alternatives.includes(error)) return !some.some((other) => isDeeper(other, error));
    return !alternatives.some((whole) => isBranch(error, whole) && !isDeeper(error, whole));
  });
  return kept.length > 0 ? kept : some;
}

function describeError(error: ErrorObject, value: Json, root: JsonObject): string {
  const at = readPath(error.instancePath, value);
  const parent: JsonObject = isObject(error.parentSchema) ? (error.parentSchema as JsonObject) : {};
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case "required":
      return missing(at, String(own(params, "missingProperty")), parent, root);
    case "dependentRequired":
      return `${name(at, String(own(params, "missingProperty")))} is missing: it is needed beside ${quoted(own(params, "property"))}`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknown(at, error, parent);
    case "propertyNames":
      return `${name(at, String(own(params, "propertyName")))} is not allowed as a name`;
    case "oneOf":
      return Array.isArray(own(params, "passingSchemas"))
        ? `${label(at)} fits more than one alternative, but exactly one is allowed: ${describeAlternatives(error.schema, root)}`
        : `${label(at)} is ${shownValue(error.data)}; must be ${describeAlternatives(error.schema, root)}`;
    case "anyOf":
      return `${label(at)} is ${shownValue(error.data)}; must be ${describeAlternatives(error.schema, root)}`;
    case "not":
      return `${label(at)} is ${shownValue(error.data)}, which is ruled out`;
    case "contains":
      return `${label(at)} lacks a fitting item; there must be one that is ${describeSchema(own(parent, "contains"), root)}`;
    case "false schema":
      return `${label(at)} is not allowed here`;
    case "unevaluatedItems":
    case "items":
      return `${label(at)} has too many items`;
    default:
      return `${label(at)} is ${shownValue(error.data)}; must be ${describeSchema(parent, root)}`;
  }
}

function missing(at: string, property: string, parent: JsonObject, root: JsonObject): string {
  const properties = own(parent, "properties");
  const described = isObject(properties) ? describeSchema(own(properties, property), root) : "something else";
  const right = described === "something else" ? "" : `; must be ${described}`;
  return `${name(at, property)} is missing${right}`;
}

function unknown(at: string, error: ErrorObject, parent: JsonObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const extra = own(params, "additionalProperty") ?? own(params, "unevaluatedProperty");
  const properties = own(parent, "properties");
  const known = isObject(properties) ? Object.keys(properties) : [];
  const more = known.length - maxNames;
  const names = known.slice(0, maxNames).map(quoted).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${name(at, String(extra))} is unknown${names === "" ? "" : `; known are ${names}`}`;
}

function quoted(text: unknown): string {
  return shownValue(String(text));
}

function label(at: string): string {
  return at === "" ? "the object of arguments" : at;
}

/** `a.b[3]["odd name"]` from a JSON pointer. */
function readPath(pointer: string, value: Json): string {
  let path = "";
  let node: Json | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path = Array.isArray(node) ? `${path}[${key}]` : name(path, key);
    node = Array.isArray(node) ? node[Number(key)] : isObject(node) ? own(node, key) : undefined;
  }
  return path;
}

function name(at: string, key: string): string {
  if (!/^[\w$-]{1,80}$/.test(key)) return `${at}[${shownValue(key)}]`;
  return at === "" ? key : `${at}.${visibleLine(key)}`;
}
