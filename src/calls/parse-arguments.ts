import type { Json, JsonObject } from "../types/json.ts";
import { isObject } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { scanJson } from "./scan-json.ts";

/** The arguments of a call, or what is wrong with their text, for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string };

const maxBytes = 1024 * 1024;

/**
 * Reads the raw text of a call's arguments. Nothing at all and `null` mean no arguments; an object written as a JSON
 * string is unpacked once. What `JSON.parse` would silently change (duplicate keys, unsafe integers) is refused.
 */
export function parseArguments(text: string): ParsedArguments {
  // A code unit takes three bytes at most: short texts need no counting.
  if (text.length * 3 > maxBytes && utf8Length(text) > maxBytes) {
    return wrong("they are larger than 1 MiB. Send less, or in several calls");
  }
  const outer = parseText(text);
  if (!outer.ok) return outer;
  if (typeof outer.value !== "string") return asObject(outer.value);
  const inner = outer.value.trim();
  if (!inner.startsWith("{")) return asObject(outer.value);
  const unpacked = parseText(inner);
  return unpacked.ok ? asObject(unpacked.value) : unpacked;
}

function wrong(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

function parseText(
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string } {
  if (text.trim() === "") return { ok: true, value: {} };
  const found = scanJson(text);
  if (found?.truncated) {
    return wrong(`they are truncated: ${found.problem}. Send them whole, in smaller pieces if they are long`);
  }
  if (found !== null) return wrong(found.problem);
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return wrong("they are not valid JSON: a string holds a bare control character or a broken escape");
  }
}

function asObject(value: Json): ParsedArguments {
  if (value === null) return { ok: true, value: {} };
  if (isObject(value)) return { ok: true, value };
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return wrong(`they are ${kind}, but must be one JSON object`);
}
