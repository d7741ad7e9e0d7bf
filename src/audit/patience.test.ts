import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { createPatience } from "./patience.ts";

const late = () => new Error("too late");

/** How each promise ended, in order. */
function watch() {
  const ends: string[] = [];
  const note = (name: string, promise: Promise<void>) =>
    promise.then(
      () => void ends.push(`${name} resolved`),
      (error: Error) => void ends.push(`${name}: ${error.message}`),
    );
  return { ends, note };
}

function deferred() {
  let resolve = () => {};
  let reject = (_: Error) => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

test("what takes as long as is waited for is given up, and not a moment earlier", async () => {
  const clock = createTestClock(5_000);
  const wait = createPatience(clock, 100, late);
  const { ends, note } = watch();
  void note("a", wait(deferred().promise));
  await clock.advance(99);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toEqual(["a: too late"]);
  expect(clock.pending()).toBe(0);
});

test("each is waited for from its own start, with one timer for all", async () => {
  const clock = createTestClock(0);
  const wait = createPatience(clock, 100, late);
  const { ends, note } = watch();
  void note("a", wait(deferred().promise));
  await clock.advance(60);
  void note("b", wait(deferred().promise));
  expect(clock.pending()).toBe(1);
  await clock.advance(40);
  expect(ends).toEqual(["a: too late"]);
  await clock.advance(100);
  expect(ends).toEqual(["a: too late", "b: too late"]);
  expect(clock.pending()).toBe(0);
});

test("what ends in time ends as it does, and no timer is left once nobody waits", async () => {
  const clock = createTestClock(0);
  const wait = createPatience(clock, 100, late);
  const { ends, note } = watch();
  const [one, two] = [deferred(), deferred()];
  const both = [note("a", wait(one.promise)), note("b", wait(two.promise))];
  one.resolve();
  await both[0];
  expect(clock.pending()).toBe(1);
  two.reject(new Error("no"));
  await both[1];
  expect(clock.pending()).toBe(0);
  expect(ends).toEqual(["a resolved", "b: no"]);
  await clock.advance(1_000);
  void note("c", wait(deferred().promise));
  expect(clock.pending()).toBe(1);
  await clock.advance(100);
  expect(ends.at(-1)).toBe("c: too late");
});
