import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one attempt, as its stream reports them: later numbers are totals and replace earlier ones. */
export interface UsageMeter {
  report(usage: unknown): void;
  total(): Usage;
}

/** Totals of the API, and what the host calls them. */
const names = {
  input_tokens: "inputTokens",
  output_tokens: "outputTokens",
  cache_read_input_tokens: "cacheReadTokens",
  cache_creation_input_tokens: "cacheWriteTokens",
} as const;

type Name = keyof typeof names;

export function createUsageMeter(): UsageMeter {
  const totals: Partial<Record<Name, number>> = {};
  /** Of all iterations: the totals leave out those of a compaction and of a model that declined. */
  let iterated: Partial<Record<Name, number>> = {};
  let reasoning: number | null = null;
  return {
    report(usage) {
      if (!isObject(usage)) return;
      for (const name of Object.keys(names) as Name[])
        totals[name] = countOf(usage[name]) ?? totals[name] ?? 0;
      if (Array.isArray(usage.iterations)) iterated = sumOf(usage.iterations);
      const details = usage.output_tokens_details;
      if (isObject(details)) reasoning = countOf(details.thinking_tokens) ?? reasoning;
    },
    total() {
      const of = (name: Name): number => Math.max(totals[name] ?? 0, iterated[name] ?? 0);
      return {
        requests: 1,
        inputTokens: of("input_tokens"),
        outputTokens: of("output_tokens"),
        cacheReadTokens: of("cache_read_input_tokens"),
        cacheWriteTokens: of("cache_creation_input_tokens"),
        ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
      };
    },
  };
}

function sumOf(iterations: readonly unknown[]): Partial<Record<Name, number>> {
  const sum: Partial<Record<Name, number>> = {};
  for (const iteration of iterations) {
    if (!isObject(iteration)) continue;
    for (const name of Object.keys(names) as Name[])
      sum[name] = (sum[name] ?? 0) + (countOf(iteration[name]) ?? 0);
  }
  return sum;
}

function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
