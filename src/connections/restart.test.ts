import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { createChangeWatch } from "./changes.ts";
import { createRestartBackoff } from "./restart.ts";

test("restarts wait 1 s, then twice as long each time, and end after five in ten minutes", async () => {
  const clock = createTestClock();
  const backoff = createRestartBackoff(clock);
  const delays = Array.from({ length: 6 }, () => backoff.next());
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, null]);
  await clock.advance(10 * 60_000);
  expect(backoff.next()).toBe(1_000);
});

test("many announcements in a moment are one reading", async () => {
  const clock = createTestClock();
  let readings = 0;
  const watch = createChangeWatch(clock, async () => {
    readings++;
    return true;
  });
  for (let times = 0; times < 100; times++) watch.notify();
  await clock.advance(1_000);
  expect(readings).toBe(1);
  watch.notify();
  watch.stop();
  await clock.advance(60_000);
  expect(readings).toBe(1);
});

test("announcements without a change are read less and less often, until they stop for a while", async () => {
  const clock = createTestClock();
  const at: number[] = [];
  let changed = false;
  const watch = createChangeWatch(clock, async () => {
    at.push(clock.now());
    return changed;
  });
  for (let times = 0; times < 4; times++) {
    watch.notify();
    await clock.advance(800 - (clock.now() % 800));
  }
  expect(at).toEqual([100, 1_000, 2_000, 3_200]);
  changed = true;
  watch.notify();
  await clock.advance(1_600);
  watch.notify();
  await clock.advance(3_200);
  expect(at.slice(4)).toEqual([4_800, 8_000]);
  await clock.advance(12_000);
  watch.notify();
  await clock.advance(100);
  expect(at.slice(6)).toEqual([20_100]);
});

test("a list that never stays the same is read every few seconds at most", async () => {
  const clock = createTestClock();
  let readings = 0;
  const watch = createChangeWatch(clock, async () => {
    readings++;
    return true;
  });
  for (let times = 0; times < 600; times++) {
    watch.notify();
    await clock.advance(100);
  }
  expect(readings).toBeGreaterThan(10);
  expect(readings).toBeLessThan(20);
  watch.stop();
});
