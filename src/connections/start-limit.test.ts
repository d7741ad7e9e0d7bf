import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { createStartLimit } from "./start-limit.ts";

test("the limit of a start stands still while a person is waited for, and what is left of it counts afterwards", async () => {
  const clock = createTestClock();
  let expired = 0;
  const limit = createStartLimit(clock, 100, () => {
    expired += 1;
  });
  await clock.advance(90);
  let answer = () => {};
  const waiting = limit.untimed(
    () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
  );
  await clock.advance(10_000);
  expect(expired).toBe(0);
  answer();
  await waiting;
  await clock.advance(9);
  expect(expired).toBe(0);
  await clock.advance(1);
  expect(expired).toBe(1);
});

test("a start that is over leaves no timer, also when the person comes later", async () => {
  const clock = createTestClock();
  const limit = createStartLimit(clock, 100, () => {
    throw new Error("It expired.");
  });
  const waiting = limit.untimed(async () => limit.end());
  await waiting;
  expect(clock.pending()).toBe(0);
});
