import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import { optionalSink } from "./optional-sink.ts";

const entry: AuditEntry = { kind: "run_ended", run: "r", stop: "answered", turns: 1 };

test("what a log refuses, throws or never answers holds nothing up, and is told once", async () => {
  const clock = createTestClock(0);
  const told: string[] = [];
  const answers = [
    () => Promise.reject(new Error("the disk is full")),
    () => {
      throw new Error("closed");
    },
    () => new Promise<void>(() => {}),
  ];
  const sink: AuditSink = {
    location: "there",
    append: () => answers.shift()?.() ?? Promise.resolve(),
    flush: () => Promise.reject(new Error("the disk is full")),
  };
  const optional = optionalSink(sink, clock, (sentence) => told.push(sentence));
  await optional.append(entry);
  await optional.append(entry);
  const hanging = optional.append(entry);
  await clock.advance(5_000);
  await hanging;
  await optional.flush?.();
  await optional.close?.();
  expect(told).toEqual([expect.stringContaining("the disk is full")]);
  expect(optional.location).toBe("there");
});

test("entries reach a log that works in their order, and are durable when it says so", async () => {
  const taken: number[] = [];
  const releases: (() => void)[] = [];
  const sink: AuditSink = {
    append(one) {
      taken.push(one.kind === "run_ended" ? one.turns : 0);
      return new Promise((resolve) => {
        releases.push(resolve);
      });
    },
  };
  const optional = optionalSink(sink, createTestClock(0), () => {
    throw new Error("nothing failed");
  });
  let durable = false;
  const first = optional.append(entry).then(() => {
    durable = true;
  });
  void optional.append({ ...entry, turns: 2 });
  expect([taken, durable]).toEqual([[1, 2], false]);
  releases[0]?.();
  await first;
  expect(durable).toBe(true);
});

test("a log that does not answer is told with the time that it was given", async () => {
  const clock = createTestClock(0);
  const told: string[] = [];
  const sink: AuditSink = { append: () => new Promise(() => {}) };
  const hanging = optionalSink(sink, clock, (sentence) => told.push(sentence)).append(entry);
  await clock.advance(5_000);
  await hanging;
  expect(told).toEqual([expect.stringMatching(/is false: no answer within 5 s$/)]);
});

test("a log is flushed and closed, and one that needs neither is left alone", async () => {
  const told: string[] = [];
  const done: string[] = [];
  const sink: AuditSink = { append: async () => {} };
  const whole: AuditSink = {
    ...sink,
    flush: async () => void done.push("flush"),
    close: async () => void done.push("close"),
  };
  for (const one of [sink, whole]) {
    const optional = optionalSink(one, createTestClock(0), (sentence) => told.push(sentence));
    await optional.flush?.();
    await optional.close?.();
    expect(optional.location).toBe("");
  }
  expect([told, done]).toEqual([[], ["flush", "close"]]);
});
