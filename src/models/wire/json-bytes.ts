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

/** The text itself when it is a JSON object, else `{}`: APIs refuse a stored call with any other input. */
export function objectJson(text: string): string {
  try {
    return isObject(JSON.parse(text)) ? text : "{}";
  } catch {
    return "{}";
  }
}
