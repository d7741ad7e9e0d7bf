import type { Json } from "../types/json.ts";
import { isObject } from "../util/own.ts";

/** Facts that are remembered at most; the oldest are forgotten first. */
const maxEntries = 512;
/** Characters of all facts together. */
const maxChars = 4 * 1024 * 1024;

/** Facts by key, the least recently set first; each value as JSON text. */
export type MemoEntries = Map<string, string>;

/** Sets a fact, and forgets the oldest while there are too many or too long ones. */
export function remember(entries: MemoEntries, key: string, value: Json): void {
  entries.delete(key);
  entries.set(key, JSON.stringify(value));
  let chars = 0;
  for (const [name, text] of entries) chars += name.length + text.length;
  for (const [name, text] of entries) {
    if (entries.size <= maxEntries && chars <= maxChars) break;
    entries.delete(name);
    chars -= name.length + text.length;
  }
}

/** Reads what `memoText` wrote; anything else has no facts. */
export function parseMemo(text: string): MemoEntries {
  const entries: MemoEntries = new Map();
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Array.isArray(value.entries)) return entries;
    for (const entry of value.entries.slice(-maxEntries)) {
      if (!Array.isArray(entry) || typeof entry[0] !== "string" || entry[1] === undefined) continue;
      entries.set(entry[0], JSON.stringify(entry[1]));
    }
  } catch {
    // Losing the facts only costs time.
  }
  return entries;
}

export function memoText(entries: MemoEntries): string {
  const members = [...entries].map(([key, value]) => `[${JSON.stringify(key)},${value}]`);
  return `{"v":1,"entries":[\n${members.join(",\n")}\n]}\n`;
}
