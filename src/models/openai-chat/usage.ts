import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one attempt, as its stream reports them: later numbers replace earlier ones. */
export interface UsageMeter {
  report(usage: unknown): void;
  total(): Usage;
}

/** `prompt_tokens` holds what came from the cache, which `Usage.inputTokens` does not. */
export function createUsageMeter(): UsageMeter {
  let prompt = 0;
  let cached = 0;
  let output = 0;
  return {
    report(usage) {
      if (!isObject(usage)) return;
      const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
      prompt = count(usage.prompt_tokens) ?? prompt;
      output = count(usage.completion_tokens) ?? output;
      // DeepSeek counts hits beside the details.
      cached = count(details.cached_tokens) ?? count(usage.prompt_cache_hit_tokens) ?? cached;
    },
    total: () => ({
      requests: 1,
      inputTokens: Math.max(0, prompt - cached),
      outputTokens: output,
      cacheReadTokens: Math.min(cached, prompt),
      cacheWriteTokens: 0,
    }),
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
