import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one attempt, as the response that ends its stream reports them. */
export interface UsageMeter {
  report(usage: unknown): void;
  total(): Usage;
}

/** `input_tokens` holds what came from the cache and what was written to it, which `Usage.inputTokens` does not. */
export function createUsageMeter(): UsageMeter {
  let usage: Usage = {
    requests: 1,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  return {
    report(reported) {
      if (!isObject(reported)) return;
      const input = isObject(reported.input_tokens_details) ? reported.input_tokens_details : {};
      const output = isObject(reported.output_tokens_details) ? reported.output_tokens_details : {};
      const all = count(reported.input_tokens) ?? 0;
      const read = Math.min(count(input.cached_tokens) ?? 0, all);
      const written = Math.min(count(input.cache_write_tokens) ?? 0, all - read);
      const reasoning = count(output.reasoning_tokens);
      usage = {
        requests: 1,
        inputTokens: all - read - written,
        outputTokens: count(reported.output_tokens) ?? 0,
        cacheReadTokens: read,
        cacheWriteTokens: written,
        ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
      };
    },
    total: () => usage,
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
