import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import type { ModelEvent } from "../types/model.ts";
import { retryDelayMs, withRetries } from "./retry.ts";

const failure = new HostError("model_overloaded", "busy");
const never = new AbortController().signal;

test("delays double up to eight seconds, less up to a quarter", () => {
  expect([1, 2, 3, 4, 5, 6, 60].map((attempt) => retryDelayMs(attempt, 0))).toEqual([
    500, 1000, 2000, 4000, 8000, 8000, 8000,
  ]);
  expect(retryDelayMs(1, 1)).toBe(375);
});

test("a failed attempt is announced before the next one begins", async () => {
  const clock = createTestClock();
  const told: ModelEvent[] = [];
  let attempts = 0;
  const answer = withRetries(
    { maxRetries: 2, retryDeadlineMs: 60_000, clock },
    never,
    async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no");
      return `attempt ${attempts}`;
    },
    () => ({ error: failure, retry: true, retryAfterMs: 1000 }),
    (event) => told.push(event),
  );
  await clock.advance(999);
  expect(attempts).toBe(1);
  expect(told).toEqual([{ type: "attempt_failed", attempt: 1, reason: "busy", retryInMs: 1000 }]);
  await clock.advance(1);
  expect(await answer).toBe("attempt 2");
  expect(clock.pending()).toBe(0);
});

test("what cannot be repeated, and what would come too late, is thrown at once", async () => {
  for (const verdict of [
    { error: failure, retry: false },
    { error: failure, retry: true, retryAfterMs: 60_001 },
  ]) {
    let attempts = 0;
    const answer = withRetries(
      { maxRetries: 5, retryDeadlineMs: 60_000, clock: createTestClock() },
      never,
      () => {
        attempts += 1;
        throw new Error("no");
      },
      () => verdict,
      () => {},
    );
    await expect(answer).rejects.toBe(failure);
    expect(attempts).toBe(1);
  }
});

test("an abort ends the waiting, and leaves no timer", async () => {
  const clock = createTestClock();
  const controller = new AbortController();
  const answer = withRetries(
    { maxRetries: 5, retryDeadlineMs: 60_000, clock },
    controller.signal,
    () => {
      throw new Error("no");
    },
    () => ({ error: failure, retry: true }),
    () => {},
  );
  await clock.advance(0);
  expect(clock.pending()).toBe(1);
  controller.abort();
  await expect(answer).rejects.toMatchObject({ code: "aborted" });
  expect(clock.pending()).toBe(0);
});
