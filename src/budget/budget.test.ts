import { expect, test } from "vitest";
import { defaultLimits } from "../config/limits.ts";
import { createTestClock } from "../testing/clock.ts";
import { createBudget, noUsage } from "./budget.ts";

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
