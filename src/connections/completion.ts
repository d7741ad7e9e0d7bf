import type { ArgumentCompletion, CompletionReference } from "../types/prompt.ts";
import { isObject } from "../util/own.ts";
import { keyProblem } from "./offer-entries.ts";

/** The protocol's own limit (MCP 2026-07-28, `CompleteResult`). */
const mostValues = 100;
const longestValue = 1_000;

export const noCompletion: ArgumentCompletion = { values: [], hasMore: false };

/** The parameters of `completion/complete`. */
export function completionParams(
  reference: CompletionReference,
  argument: { readonly name: string; readonly value: string },
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const ref =
    reference.type === "prompt"
      ? { type: "ref/prompt", name: reference.name }
      : { type: "ref/resource", uri: reference.uriTemplate };
  return {
    ref,
    argument,
    ...(Object.keys(given).length === 0 ? {} : { context: { arguments: given } }),
  };
}

/** Reads a `completion/complete` result of any shape. */
export function ingestCompletion(result: unknown): ArgumentCompletion {
  const completion = isObject(result) ? result.completion : undefined;
  if (!isObject(completion) || !Array.isArray(completion.values)) return noCompletion;
  const usable = completion.values
    .slice(0, 10 * mostValues)
    .filter((value): value is string => keyProblem("value", value, longestValue) === null);
  const values = [...new Set(usable)].slice(0, mostValues);
  return { values, hasMore: completion.hasMore === true || completion.values.length > values.length };
}
