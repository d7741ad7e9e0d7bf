import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one attempt, as its stream reports them: later numbers replace earlier ones. */
export interface UsageMeter {
  report(usage: unknown): void;
  total(): Usage;
}

/** `promptTokenCount` holds what came from the cache, which `Usage.inputTokens` does not; thoughts are output. */
export function createUsageMeter(): UsageMeter {
  let prompt = 0;
  let tools = 0;
  let cached = 0;
  let output = 0;
  let thoughts: number | null = null;
  return {
    report(usage) {
      if (!isObject(usage)) return;
      prompt = count(usage.promptTokenCount) ?? prompt;
      tools = count(usage.toolUsePromptTokenCount) ?? tools;
      cached = count(usage.cachedContentTokenCount) ?? cached;
      output = count(usage.candidatesTokenCount) ?? output;
      thoughts = count(usage.thoughtsTokenCount) ?? thoughts;
    },
    total: () => ({
      requests: 1,
      inputTokens: Math.max(0, prompt - cached) + tools,
      outputTokens: output + (thoughts ?? 0),
      cacheReadTokens: Math.min(cached, prompt),
      cacheWriteTokens: 0,
      ...(thoughts === null ? {} : { reasoningTokens: thoughts }),
    }),
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
