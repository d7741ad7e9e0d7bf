import type { WireObject } from "../wire-server/api.ts";

/** Tokens of a request's input. A token is four bytes of JSON here. */
export interface PromptTokens {
  readonly prompt: number;
  readonly cached: number;
}

/** A prefix is found from this many tokens on, and in steps of so many. */
const minimumTokens = 1_024;
const stepTokens = 128;

/** How many requests are remembered. */
const remembered = 200;

/** The automatic prompt cache: the longest beginning that a request shares with one before it. */
export interface PromptCache {
  account(request: WireObject): PromptTokens;
}

export function createPromptCache(): PromptCache {
  const prompts: Buffer[] = [];
  return {
    account({ model, tools, messages }) {
      const prompt = Buffer.from(`${JSON.stringify([model, tools ?? []])}${JSON.stringify(messages)}`);
      const shared = prompts.reduce((longest, earlier) => Math.max(longest, sharedBytes(earlier, prompt)), 0);
      prompts.push(prompt);
      if (prompts.length > remembered) prompts.shift();
      const tokens = Math.floor(shared / 4);
      const steps = Math.floor((tokens - minimumTokens) / stepTokens);
      return {
        prompt: Math.ceil(prompt.length / 4),
        cached: tokens < minimumTokens ? 0 : minimumTokens + steps * stepTokens,
      };
    },
  };
}

/** How many bytes two prompts begin alike with. Halves the range instead of going byte by byte. */
function sharedBytes(first: Buffer, second: Buffer): number {
  let low = 0;
  let high = Math.min(first.length, second.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (first.compare(second, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
