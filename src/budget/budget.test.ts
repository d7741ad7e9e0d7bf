import { expect, test } from "vitest";
import { defaultLimits } from "../config/limits.ts";
import { createTestClock } from "../testing/clock.ts";
import { noUsage } from "../util/usage.ts";
import { createBudget } from "./budget.ts";

test("the turn limit stops before the turn that would be one too many", () => {
  const budget = createBudget({ ...defaultLimits, turns: 2 }, createTestClock());
  expect(budget.check()).toBeNull();
  budget.startTurn();
  expect(budget.startTurn()).toBe(2);
  expect(budget.check()).toEqual({ type: "turn_limit", limit: 2 });
});

test("tokens count everything that was sent and received, cached or not", () => {
  const budget = createBudget({ ...defaultLimits, tokens: 100 }, createTestClock());
  budget.addUsage({ ...noUsage, inputTokens: 40, cacheReadTokens: 30, outputTokens: 29 });
  expect(budget.check()).toBeNull();
  budget.addUsage({ ...noUsage, cacheWriteTokens: 1 });
  expect(budget.check()).toEqual({ type: "budget", budget: "tokens", limit: 100 });
});

test("calls are given out until none are left", () => {
  const budget = createBudget({ ...defaultLimits, calls: 3 }, createTestClock());
  expect(budget.takeCalls(2)).toBe(2);
  expect(budget.check()).toBeNull();
  expect(budget.takeCalls(2)).toBe(1);
  expect(budget.check()).toEqual({ type: "budget", budget: "calls", limit: 3 });
});

test("a run that lasts too long stops at its next turn", async () => {
  const clock = createTestClock();
  const budget = createBudget({ ...defaultLimits, runMs: 1_000 }, clock);
  await clock.advance(999);
  expect(budget.check()).toBeNull();
  await clock.advance(1);
  expect(budget.check()).toEqual({ type: "budget", budget: "time", limit: 1_000 });
});

test("what requests cost is counted, by the model that answered; a limit stops once it is reached", () => {
  const budget = createBudget({ ...defaultLimits, cost: 3 }, createTestClock(), (usage, by) =>
    by?.model === "dear" ? usage.inputTokens * 2 : usage.inputTokens,
  );
  budget.addUsage({ ...noUsage, requests: 1, inputTokens: 1 });
  expect(budget.check()).toBeNull();
  budget.addUsage({ ...noUsage, requests: 1, inputTokens: 1 }, { api: "x", model: "dear" });
  expect(budget.cost).toEqual({ usd: 3, unpriced: 0 });
  expect(budget.check()).toEqual({ type: "budget", budget: "cost", limit: 3 });
});

test("a request of unknown price ends a run with a cost limit, and no other", () => {
  for (const cost of [0, 5]) {
    const budget = createBudget({ ...defaultLimits, cost }, createTestClock(), () => null);
    budget.addUsage({ ...noUsage, requests: 2, inputTokens: 1 });
    expect(budget.cost).toEqual({ usd: 0, unpriced: 2 });
    expect(budget.check()?.type).toBe(cost === 0 ? undefined : "failed");
  }
});
