import type { ToolCallBlock } from "../types/message.ts";
import { callToolAlias } from "../types/tool.ts";
import { isObject, own } from "./own.ts";

/**
 * The alias that a model's call is about: of a call of a found tool (`callToolAlias`) that of the tool inside it; empty where
 * it names none. The model may have written anything.
 */
export function calledName({ name, input }: Pick<ToolCallBlock, "name" | "input">): string {
  if (name !== callToolAlias) return name;
  try {
    const given: unknown = JSON.parse(input);
    const inside = isObject(given) ? own(given, "name") : undefined;
    return typeof inside === "string" ? inside : "";
  } catch {
    return "";
  }
}
