import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { startDeadline } from "./deadline.ts";

test("while a person is waited for neither limit counts, and afterwards what is left of the hard one does", async () => {
  const clock = createTestClock();
  const deadline = startDeadline(clock, 100, 300, new AbortController().signal);
  await clock.advance(90);
  const release = deadline.hold();
  await clock.advance(10_000);
  expect(deadline.cut()).toBeNull();
  release();
  // Whoever answered was a sign of life.
  await clock.advance(99);
  expect(deadline.cut()).toBeNull();
  deadline.heard();
  await clock.advance(99);
  deadline.heard();
  await clock.advance(12);
  expect(deadline.cut()).toBe("hard");
  deadline.end();
  expect(clock.pending()).toBe(0);
});

test("of several that are waited for the last one counts, and a second release means nothing", async () => {
  const clock = createTestClock();
  const deadline = startDeadline(clock, 100, 1_000, new AbortController().signal);
  const [first, second] = [deadline.hold(), deadline.hold()];
  first();
  first();
  await clock.advance(500);
  expect(deadline.cut()).toBeNull();
  second();
  await clock.advance(100);
  expect(deadline.cut()).toBe("idle");
  deadline.end();
});

test("an abort reaches a call that waits for a person, and no timer is left", async () => {
  const clock = createTestClock();
  const abort = new AbortController();
  const deadline = startDeadline(clock, 100, 300, abort.signal);
  const release = deadline.hold();
  abort.abort();
  expect(deadline.cut()).toBe("aborted");
  deadline.end();
  release();
  expect(clock.pending()).toBe(0);
});
