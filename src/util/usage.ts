import type { Usage } from "../types/model.ts";

/** What is used where nothing was asked of a model. */
export const noUsage: Usage = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};
