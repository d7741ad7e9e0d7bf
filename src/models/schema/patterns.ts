import type { Json, JsonObject } from "../../types/json.ts";

/**
 * A regular expression as draft 2020-12 reads it, with JavaScript's flag `u`, or null when there is no such form. What is
 * only correct without the flag, such as `\_` and `[\w-.]`, is written as it means the same with it.
 */
export function unicodePattern(pattern: Json): string | null {
  if (typeof pattern !== "string") return null;
  if (compiles(pattern, "u")) return pattern;
  if (!compiles(pattern, "")) return null;
  const rewritten = rewrite(pattern);
  return compiles(rewritten, "u") ? rewritten : null;
}

/** Schemas by patterns of this form, or null when one has no such form, or two have the same. */
export function withUnicodePatterns(schemas: JsonObject): JsonObject | null {
  const named = new Map<string, Json>();
  for (const [pattern, schema] of Object.entries(schemas)) {
    const name = unicodePattern(pattern);
    if (name === null || named.has(name)) return null;
    named.set(name, schema);
  }
  return Object.fromEntries(named);
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** One escape, one count, or one character. */
const token = /\\(?:[\s\S]|$)|\{\d+(?:,\d*)?\}|[\s\S]/gy;

/** Characters that stand for themselves only with a backslash. */
const special = "^$\\.*+?()[]{}|/";

function rewrite(pattern: string): string {
  const tokens = pattern.match(token) ?? [];
  let inClass = false;
  const written = tokens.map((text, at) => {
    if (text.startsWith("\\")) return escapeFor(text, inClass);
    if (!inClass) {
      inClass = text === "[";
      return text === "{" || text === "}" || text === "]" ? `\\${text}` : text;
    }
    if (text === "]") inClass = false;
    // Between sets a dash is no range.
    if (text === "-" && [tokens[at - 1], tokens[at + 1]].some(isSet)) return "\\-";
    return text;
  });
  return written.join("");
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && /^\\[wWdDsS]$/.test(text);
}

function escapeFor(text: string, inClass: boolean): string {
  const character = text.slice(1);
  if (/[a-zA-Z0-9]/.test(character) || special.includes(character)) return text;
  return character === "-" && inClass ? text : character;
}
