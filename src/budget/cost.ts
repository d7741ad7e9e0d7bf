import { HostError } from "../errors.ts";
import type { Model, Usage } from "../types/model.ts";
import type { ModelPrice, TokenPrices } from "../types/price.ts";
import { own } from "../util/own.ts";
import { priceList } from "./price-list.ts";

type Prices = Readonly<Record<string, ModelPrice>>;

const free: ModelPrice = { input: 0, output: 0 };
/** A model's name may carry the day of its snapshot, which has the same price. */
const snapshotDay = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * The price of a model's tokens, or null when it is not known: the program's own price, by `api/name` or by name,
 * else the published one. The offline model costs nothing.
 */
export function priceOf(
  { api, name, capabilities }: Omit<Model, "stream">,
  ownPrices: Prices,
): ModelPrice | null {
  if (capabilities.offline) return free;
  // Both APIs of this provider bill alike; servers that only speak one of them have names of their own.
  const provider = api === "openai-responses" || api === "openai-chat" ? "openai" : api;
  for (const model of [name, name.replace(snapshotDay, "")]) {
    const price =
      own(ownPrices, `${api}/${model}`) ?? own(ownPrices, model) ?? own(priceList, `${provider}/${model}`);
    if (price !== undefined) return price;
  }
  return null;
}

/** US dollars of requests; never negative. Their prompts count as equally long. */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { input, output, cacheRead, cacheWrite } = tokensOf(usage);
  const prompt = (input + cacheRead + cacheWrite) / Math.max(1, usage.requests);
  const { long } = price;
  const prices: TokenPrices = long !== undefined && prompt > long.overTokens ? long : price;
  const dollars =
    input * prices.input +
    output * prices.output +
    cacheRead * (prices.cacheRead ?? prices.input) +
    cacheWrite * (prices.cacheWrite ?? prices.input);
  return dollars / 1_000_000;
}

function tokensOf(usage: Usage) {
  return {
    input: counted(usage.inputTokens),
    output: counted(usage.outputTokens),
    cacheRead: counted(usage.cacheReadTokens),
    cacheWrite: counted(usage.cacheWriteTokens),
  };
}

/** A model of the program's own may report anything. */
function counted(tokens: number): number {
  return Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

/** @throws HostError `config_invalid`, naming the price that is none */
export function checkPrices(prices: Prices): void {
  for (const [model, price] of Object.entries(prices)) {
    const { long } = price;
    const amounts = [price, ...(long === undefined ? [] : [long])].flatMap((tokens) => [
      tokens.input,
      tokens.output,
      tokens.cacheRead ?? 0,
      tokens.cacheWrite ?? 0,
    ]);
    const whole = [...amounts, long?.overTokens ?? 0].every(
      (amount) => Number.isFinite(amount) && amount >= 0,
    );
    if (whole) continue;
    throw new HostError(
      "config_invalid",
      `The price of "${model}" is not whole: input and output are US dollars per million tokens, 0 or more.`,
    );
  }
}
