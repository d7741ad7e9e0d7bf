import { isObject } from "../../util/own.ts";

/** Copies a JSON value and writes out every `{"$gen":"repeat","unit":"ab","count":3}` in it as "ababab". */
export function expandGenerated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandGenerated);
  if (!isObject(value)) return value;
  if (value.$gen === "repeat" && typeof value.unit === "string" && typeof value.count === "number") {
    return value.unit.repeat(value.count);
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandGenerated(member)]));
}
