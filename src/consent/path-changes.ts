import type { Json } from "../types/json.ts";
import { count, outsidePair } from "../util/one-line.ts";
import { isObject, own } from "../util/own.ts";
import { compareCodeUnits, stableJson } from "../util/stable-json.ts";
import { visibleLine } from "../util/visible.ts";

const mostShown = 12;
/** Differences that are looked for. */
const mostFound = 1_000;
const deepest = 32;
const longestValue = 120;
const longestKey = 80;

/** What was added, removed and changed between two JSON values: one text a path, escaped and bounded. */
export function pathChanges(
  name: string,
  before: Json | undefined,
  now: Json | undefined,
): readonly string[] {
  const found: string[] = [];
  compare(name, before, now, 0, found);
  const more = found.length - mostShown;
  if (more <= 0) return found;
  const number = found.length >= mostFound ? "many" : count(more);
  return [...found.slice(0, mostShown), `${name}: ${number} more differences`];
}

function compare(
  path: string,
  before: Json | undefined,
  now: Json | undefined,
  depth: number,
  found: string[],
): void {
  if (found.length >= mostFound) return;
  if (before === undefined || now === undefined) {
    if (before !== now) found.push(before === undefined ? `${path} added: ${shown(now)}` : `${path} removed`);
    return;
  }
  if (isMembers(before) && isMembers(now) && depth < deepest) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    for (const key of [...keys].sort(compareCodeUnits)) {
      compare(`${path}.${keyText(key)}`, own(before, key), own(now, key), depth + 1, found);
    }
    return;
  }
  if (stableJson(before) !== stableJson(now)) found.push(`${path}: was ${shown(before)}, is ${shown(now)}`);
}

function isMembers(value: Json): value is { readonly [key: string]: Json } {
  return isObject(value);
}

function keyText(key: string): string {
  const cut = key.length > longestKey ? `${key.slice(0, outsidePair(key, longestKey))}…` : key;
  return /^[\w$-]+$/.test(cut) ? cut : visibleLine(JSON.stringify(cut));
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? "" : stableJson(value);
  if (text.length <= longestValue) return visibleLine(text);
  const head = text.slice(0, outsidePair(text, longestValue));
  return `${visibleLine(head)}… ${count(text.length - head.length)} more characters`;
}
