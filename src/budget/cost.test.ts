import fc from "fast-check";
import { expect, test } from "vitest";
import type { Usage } from "../types/model.ts";
import type { ModelPrice } from "../types/price.ts";
import { addCounts } from "../util/add-counts.ts";
import { noUsage } from "../util/usage.ts";
import { checkPrices, costOf, priceOf } from "./cost.ts";
import { priceList } from "./price-list.ts";

const model = (api: string, name: string, offline = false) => ({
  api,
  name,
  capabilities: { toolResultImages: true, offline },
});
const price: ModelPrice = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };

test("each kind of token has its price, by the million", () => {
  const million = 1_000_000;
  const usage = {
    requests: 1,
    inputTokens: million,
    outputTokens: 2 * million,
    cacheReadTokens: 4 * million,
  };
  expect(costOf({ ...usage, cacheWriteTokens: million }, price)).toBeCloseTo(5 + 50 + 2 + 6.25, 9);
  expect(costOf({ ...usage, cacheWriteTokens: million }, { input: 5, output: 25 })).toBeCloseTo(
    5 + 50 + 20 + 5,
    9,
  );
});

test("a long prompt, with what the cache held of it, costs its own price, request by request", () => {
  const tiered = { input: 1, output: 1, cacheRead: 1, long: { overTokens: 1_000, input: 5, output: 10 } };
  const usage: Usage = { ...noUsage, requests: 1, inputTokens: 600, cacheReadTokens: 400, outputTokens: 100 };
  expect(costOf(usage, tiered)).toBeCloseTo(1_100e-6, 12);
  expect(costOf({ ...usage, cacheWriteTokens: 1 }, tiered)).toBeCloseTo((1_001 * 5 + 1_000) * 1e-6, 12);
  expect(costOf({ ...usage, requests: 2, inputTokens: 1_600 }, tiered)).toBeCloseTo(2_100e-6, 12);
});

test("a price is found by api and name, also of a dated snapshot; the program's own comes first", () => {
  expect(priceOf(model("anthropic", "claude-opus-5"), {})).toMatchObject({ input: 5, output: 25 });
  expect(priceOf(model("anthropic", "claude-haiku-4-5-20251001"), {})).toMatchObject({ input: 1 });
  expect(priceOf(model("openai-responses", "gpt-5-mini-2025-08-07"), {})).toMatchObject({ output: 2 });
  expect(priceOf(model("ollama", "gpt-5-mini"), {})).toBeNull();
  expect(priceOf(model("anthropic", "claude-opus-5"), { "claude-opus-5": price })).toBe(price);
  expect(priceOf(model("x", "y"), { "x/y": price })).toBe(price);
  expect(priceOf(model("offline", "offline", true), {})).toEqual({ input: 0, output: 0 });
  for (const name of ["__proto__", "constructor", "claude-opus-99"]) {
    expect(priceOf(model("anthropic", name), {})).toBeNull();
  }
});

test("every listed price is whole, dated and says where it was read", () => {
  expect(() => checkPrices(priceList)).not.toThrow();
  for (const { asOf, source, input, output, cacheRead = input } of Object.values(priceList)) {
    expect(asOf).toMatch(/^20\d\d-\d\d$/);
    expect(source).toMatch(/^https:\/\//);
    expect(cacheRead).toBeLessThanOrEqual(input);
    expect(output).toBeGreaterThan(input);
  }
});

test("a price that is no amount is refused", () => {
  const wrong: readonly unknown[] = [
    { input: -1, output: 1 },
    { input: 1 },
    { input: 1, output: Number.NaN },
    { input: 1, output: 1, cacheRead: "1" },
    { input: 1, output: 1, long: { overTokens: 5 } },
  ];
  for (const one of wrong) {
    expect(() => checkPrices({ "x/y": one as ModelPrice })).toThrow('The price of "x/y" is not whole');
  }
});

const tokens = fc.oneof(
  fc.nat({ max: 10_000_000 }),
  fc.constantFrom(-5, Number.NaN, Number.POSITIVE_INFINITY),
);
const usages: fc.Arbitrary<Usage> = fc.record({
  requests: fc.constant(1),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
});

test("whatever a model reports, what it cost is an amount of 0 or more", () => {
  fc.assert(
    fc.property(usages, fc.constantFrom(...Object.values(priceList)), (usage, listed) => {
      const cost = costOf(usage, listed);
      expect(Number.isFinite(cost) && cost >= 0).toBe(true);
    }),
  );
});

test("requests cost together what they cost one by one", () => {
  const whole = usages.filter((usage) =>
    Object.values(usage).every((count) => Number.isFinite(count) && count >= 0),
  );
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      expect(costOf(addCounts(a, b), price)).toBeCloseTo(costOf(a, price) + costOf(b, price), 6);
    }),
  );
});
