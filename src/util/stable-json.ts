import type { Json } from "../types/json.ts";
import { isObject } from "./own.ts";

/** JSON text with the keys of every object in code-unit order: the same value always gives the same bytes. */
export function stableJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort(compareCodeUnits)
    .map((key) => `${JSON.stringify(key)}:${stableJson(value[key] as Json)}`);
  return `{${members.join(",")}}`;
}

/** Order of two strings by code units: independent of any locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
