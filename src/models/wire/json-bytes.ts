import { isObject } from "../../util/own.ts";

const surrogateEscapes =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;

const encoder = new TextEncoder();

/**
 * JSON text in which every escape of half a surrogate pair stands as U+FFFD: the API's parser refuses the others
 * (`no low surrogate in string`).
 */
function wellFormedJson(json: string): string {
  if (!json.includes("\\ud") && !json.includes("\\uD")) return json;
  // An escaped backslash is two characters, a pair twelve; only half a pair is six.
  return json.replace(surrogateEscapes, (found) => (found.length === 6 ? "\ufffd" : found));
}

/** The bytes of JSON text, without halves of surrogate pairs. */
export function encodeJson(json: string): Uint8Array {
  return encoder.encode(wellFormedJson(json));
}

/** Nesting that is sent back. APIs give up at about twice as much, and arguments that are deeper are not run. */
const deepest = 64;

/** The text itself when it is a JSON object that APIs can read, else `{}`: they refuse a stored call with any other input. */
export function objectJson(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && isReadable(parsed, deepest) ? text : "{}";
  } catch {
    return "{}";
  }
}

/** Whether parsers that are stricter than `JSON.parse` read a value: no number beyond a double's range, no deep nesting. */
export function isReadable(value: unknown, levels: number = deepest): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isReadable(member, levels - 1));
}
