import type { Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** Tokens of one request as the part `finish` reports them; 0 where it does not. */
export function usageOf(reported: unknown): Usage {
  const { inputTokens, outputTokens } = isObject(reported) ? reported : {};
  const input = isObject(inputTokens) ? inputTokens : {};
  const output = isObject(outputTokens) ? outputTokens : {};
  const read = count(input.cacheRead) ?? 0;
  const written = count(input.cacheWrite) ?? 0;
  const reasoning = count(output.reasoning);
  return {
    requests: 1,
    inputTokens: count(input.noCache) ?? Math.max(0, (count(input.total) ?? 0) - read - written),
    outputTokens: count(output.total) ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
