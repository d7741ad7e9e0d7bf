import type { Json, JsonObject } from "../../types/json.ts";
import { isObject, own } from "../../util/own.ts";

/** A member of an object in a JSON text: where it begins, where its value is, where it ends. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Objects inside of objects are followed this deep. */
const depthLimit = 16;

/**
 * The arguments without the optional parameters that a model gave as `null` or `""` although their schema takes
 * neither: some models fill in every parameter. Anything else stays as it was written; so does a text that is no JSON.
 */
export function withoutEmptyOptionals(argumentsJson: string, schema: JsonObject): string {
  if (!/:\s*(?:null|"")/.test(argumentsJson) || !isJson(argumentsJson)) return argumentsJson;
  return prune(argumentsJson, skipSpace(argumentsJson, 0), schema, depthLimit);
}

/** The text with the object that begins at `start` pruned. */
function prune(json: string, start: number, schema: JsonObject, depth: number): string {
  if (json[start] !== "{" || depth === 0 || !isObject(schema.properties)) return json;
  const properties = schema.properties as JsonObject;
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  const { members, end } = membersOf(json, start);
  const repeated = new Set(members.map(({ key }) => key)).size < members.length;
  const kept = members.flatMap(({ key, start: from, valueStart, end: to }) => {
    const property = own(properties, key);
    const text = json.slice(valueStart, to);
    const empty = text === "null" ? null : text === '""' ? "" : undefined;
    const absent = empty !== undefined && !repeated && !required.includes(key) && refuses(property, empty);
    if (absent) return [];
    const value = isObject(property) ? prune(text, 0, property as JsonObject, depth - 1) : text;
    return [`${json.slice(from, valueStart)}${value}`];
  });
  if (kept.length === members.length && kept.every((text, at) => text === sliceOf(json, members[at])))
    return json;
  return `${json.slice(0, start)}{${kept.join(",")}}${json.slice(end)}`;
}

function sliceOf(json: string, member: Member | undefined): string {
  return member === undefined ? "" : json.slice(member.start, member.end);
}

/** Whether a schema surely does not take the value. */
function refuses(schema: Json | undefined, value: null | ""): boolean {
  if (!isObject(schema)) return false;
  const { type, enum: values, nullable, $ref } = schema as JsonObject;
  // Up to draft 7 a reference makes its neighbours void.
  if ($ref !== undefined || (value === null && nullable === true)) return false;
  const name = value === null ? "null" : "string";
  if (typeof type === "string") {
    if (type !== name) return true;
  } else if (Array.isArray(type) && !type.includes(name)) return true;
  return Array.isArray(values) && !values.includes(value);
}

/** The members of the object that begins at `start`, and the index after its end. The text is valid JSON. */
export function membersOf(json: string, start: number): { readonly members: Member[]; readonly end: number } {
  const members: Member[] = [];
  let at = skipSpace(json, start + 1);
  while (json[at] === '"') {
    const keyEnd = endOfString(json, at);
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, valueStart);
    members.push({ key: String(JSON.parse(json.slice(at, keyEnd))), start: at, valueStart, end });
    at = skipSpace(json, end);
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return { members, end: at + 1 };
}

/** The index after the value that begins at `start`. */
export function endOfValue(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  let at = start;
  for (let open = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === "{" || character === "[") open += 1;
    else if (character === "}" || character === "]") {
      if (open === 0) return at;
      open -= 1;
      if (open === 0) return at + 1;
    } else if (open === 0 && (character === "," || isSpace(character))) return at;
  }
  return at;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += json[at] === "\\" ? 2 : 1) {
    if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** The index of the first character at or behind `from` that is no blank. */
export function skipSpace(json: string, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
