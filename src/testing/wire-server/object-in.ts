import { isObject } from "../../util/own.ts";
import type { WireObject } from "./api.ts";

/** The JSON object that a question holds, as the arguments of the tool that it names; empty without one. */
export function objectIn(text: string): WireObject {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end < start) return {};
  try {
    const found: unknown = JSON.parse(text.slice(start, end + 1));
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}
