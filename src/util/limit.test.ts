import { expect, test } from "vitest";
import { createLimiter } from "./limit.ts";

const never = new AbortController().signal;

test("no more actions run at once than the limit says, and waiting ones start in order", async () => {
  const limiter = createLimiter(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((index) =>
    limiter.run(never, () => {
      started.push(index);
      return new Promise<void>((resolve) => finish.push(resolve));
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  finish[0]?.();
  await runs[0];
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual([0, 1, 2]);
  finish[1]?.();
  finish[2]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual([0, 1, 2, 3]);
  finish[3]?.();
  await Promise.all(runs);
});

test("an action that fails gives its place to the next", async () => {
  const limiter = createLimiter(1);
  await expect(limiter.run(never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await limiter.run(never, async () => "next")).toBe("next");
});

test("an abort while waiting leaves the queue and never runs the action", async () => {
  const limiter = createLimiter(1);
  let release = () => {};
  const first = limiter.run(never, () => new Promise<void>((resolve) => (release = resolve)));
  await Promise.resolve();
  const abort = new AbortController();
  const waiting = limiter.run(abort.signal, async () => "ran");
  abort.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
  release();
  await first;
  expect(await limiter.run(never, async () => "free")).toBe("free");
});
