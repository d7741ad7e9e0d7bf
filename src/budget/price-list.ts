import type { ListedPrice, TokenPrices } from "../types/price.ts";

type Row = readonly [input: number, cacheWrite: number, cacheRead: number, output: number];

function tokens([input, cacheWrite, cacheRead, output]: Row): TokenPrices {
  return { input, cacheWrite, cacheRead, output };
}

/** Columns as the page has them, without that of writes for an hour: the adapter sets none. */
const claude = (row: Row, page = "about-claude/pricing", asOf = "2026-10"): ListedPrice => ({
  ...tokens(row),
  asOf,
  source: `https://platform.claude.com/docs/en/${page}`,
});

const openai = (row: Row, model: string, asOf = "2026-11"): ListedPrice => ({
  ...tokens(row),
  asOf,
  source: `https://developers.openai.com/api/docs/models/${model}`,
});

/**
 * Published list prices by `api/model`, in US dollars per million tokens, of the month in which each page was read.
 * Discounts, regions, batches and fees of tools are not in them. A model that is not here has no known price; promotional
 * prices and those that are not stated whole are left out.
 */
export const priceList: Readonly<Record<string, ListedPrice>> = {
  "anthropic/claude-fable-5-1": claude([10, 12.5, 0.25, 50]),
  "anthropic/claude-fable-5": claude([10, 12.5, 1, 50]),
  "anthropic/claude-opus-5-5": claude([4, 5, 0.2, 20], "models/opus-5-5/overview"),
  "anthropic/claude-opus-5": claude([5, 6.25, 0.5, 25]),
  "anthropic/claude-opus-4-8": claude([5, 6.25, 0.5, 25]),
  "anthropic/claude-opus-4-7": claude([5, 6.25, 0.5, 25]),
  "anthropic/claude-opus-4-6": claude([5, 6.25, 0.5, 25]),
  "anthropic/claude-opus-4-5": claude([5, 6.25, 0.5, 25]),
  "anthropic/claude-opus-4-1": claude([15, 18.75, 1.5, 75]),
  "anthropic/claude-sonnet-5-5": claude([2, 2.5, 0.2, 10], "models/sonnet-5-5/overview"),
  "anthropic/claude-sonnet-5": claude([2, 2.5, 0.2, 10], "models/sonnet-5/overview"),
  "anthropic/claude-sonnet-4-6": claude([3, 3.75, 0.3, 15]),
  "anthropic/claude-sonnet-4-5": claude([3, 3.75, 0.3, 15]),
  "anthropic/claude-haiku-5-5": {
    ...claude([0.1, 0.125, 0.01, 0.5], "models/haiku-5-5/overview"),
    long: { overTokens: 100_000, ...tokens([0.5, 0.625, 0.05, 2.5]) },
  },
  "anthropic/claude-haiku-4-5": claude([1, 1.25, 0.1, 5]),
  "openai/gpt-5.6-terra": {
    ...openai([2, 2.5, 0.2, 12], "gpt-5.6-terra"),
    long: { overTokens: 272_000, ...tokens([4, 5, 0.4, 18]) },
  },
  "openai/gpt-5-mini": openai([0.25, 0.25, 0.025, 2], "gpt-5-mini"),
};
