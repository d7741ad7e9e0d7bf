import { expect, test } from "vitest";
import { createEventQueue, iterateEmitted } from "./event-queue.ts";

test("events are read in order, those from before the reading and those from during it", async () => {
  const queue = createEventQueue<number>();
  queue.push(1);
  queue.push(2);
  const seen: number[] = [];
  for await (const event of queue) {
    seen.push(event);
    if (event === 2) setTimeout(() => queue.push(3));
    if (event === 3) {
      queue.push(4);
      queue.end();
      queue.push(5);
    }
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

test("an iteration that stops half way can be taken up again", async () => {
  const queue = createEventQueue<string>();
  for (const event of ["a", "b", "c"]) queue.push(event);
  queue.end();
  for await (const event of queue) if (event === "a") break;
  const rest: string[] = [];
  for await (const event of queue) rest.push(event);
  expect(rest).toEqual(["b", "c"]);
});

test("what the work emits is iterated, and its failure comes after the last event", async () => {
  const seen: number[] = [];
  const events = iterateEmitted<number>(async (emit) => {
    emit(1);
    await Promise.resolve();
    emit(2);
    throw new Error("broke");
  });
  const reading = (async () => {
    for await (const event of events) seen.push(event);
  })();
  await expect(reading).rejects.toThrow("broke");
  expect(seen).toEqual([1, 2]);
});

test("a reader that leaves early stops the work", async () => {
  let left = false;
  const events = iterateEmitted<number>(async (emit, signal) => {
    signal.addEventListener("abort", () => {
      left = true;
    });
    emit(1);
    emit(2);
  });
  for await (const event of events) if (event === 1) break;
  expect(left).toBe(true);
});

test("two readers at once share the events, and both reach the end", async () => {
  const queue = createEventQueue<number>();
  const seen: number[] = [];
  const read = async () => {
    for await (const event of queue) seen.push(event);
  };
  const reading = [read(), read()];
  for (const event of [1, 2, 3]) {
    queue.push(event);
    await Promise.resolve();
  }
  queue.end();
  await Promise.all(reading);
  expect(seen.sort()).toEqual([1, 2, 3]);
});
