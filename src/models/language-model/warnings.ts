import type { ModelEvent } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Most warnings that are remembered; past them none is told. */
const most = 100;

/** Tells what a provider warns of at the start of its stream, each warning once. */
export function createWarnings(): (part: unknown) => ModelEvent[] {
  const told = new Set<string>();
  return (part) => {
    if (!isObject(part) || part.type !== "stream-start" || !Array.isArray(part.warnings)) return [];
    return part.warnings.filter(isObject).flatMap((warning): ModelEvent[] => {
      const text = wordsOf(warning);
      if (text === "" || told.has(text) || told.size >= most) return [];
      told.add(text);
      return [{ type: "warning", code: "model_warning", text }];
    });
  };
}

/** `{type, feature, details}`, or `{type: "other", message}`. */
function wordsOf({ type, feature, setting, message, details }: Readonly<Record<string, unknown>>): string {
  const words = [type === "other" ? "" : type, feature ?? setting, message, details];
  return words
    .filter((word) => typeof word === "string" && word !== "")
    .join(": ")
    .slice(0, 1_000);
}
