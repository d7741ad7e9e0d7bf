import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one attempt, as its stream reports them: later numbers are totals and replace earlier ones. */
export interface UsageMeter {
  report(usage: unknown): void;
  total(): Usage;
}

export function createUsageMeter(): UsageMeter {
  const tokens = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return {
    report(usage) {
      if (!isObject(usage)) return;
      for (const name of Object.keys(tokens) as (keyof typeof tokens)[]) {
        const count = usage[name];
        if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) tokens[name] = count;
      }
    },
    total: () => ({
      requests: 1,
      inputTokens: tokens.input_tokens,
      outputTokens: tokens.output_tokens,
      cacheReadTokens: tokens.cache_read_input_tokens,
      cacheWriteTokens: tokens.cache_creation_input_tokens,
    }),
  };
}
