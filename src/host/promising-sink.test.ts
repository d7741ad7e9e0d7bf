import { expect, test } from "vitest";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import { promisingSink } from "./promising-sink.ts";

const entry = { kind: "run_started", run: "r", principal: "ann", model: "m" } as AuditEntry;

test("a program's log gets all that the host says, and its place is the program's", async () => {
  const told: unknown[] = [];
  let place = "here";
  const sink = promisingSink({
    append: async (one) => void told.push(one),
    flush: async () => void told.push("flush"),
    get location() {
      return place;
    },
    close: async () => void told.push("close"),
  });
  await sink.append(entry);
  await sink.flush?.();
  await sink.close?.();
  expect(told).toEqual([entry, "flush", "close"]);
  expect(sink.location).toBe("here");
  place = "there";
  expect(sink.location).toBe("there");
});

test("a log that only appends can be flushed and closed, and stands nowhere", async () => {
  const sink = promisingSink({ append: async () => {} });
  await expect(Promise.all([sink.flush?.(), sink.close?.()])).resolves.toBeDefined();
  expect(sink.location).toBe("");
});

test("what a log throws at once is a rejection, and what it returns without a promise an end", async () => {
  const fail = (): never => {
    throw new Error("full");
  };
  const throwing = promisingSink({ append: fail, flush: fail, close: fail });
  for (const writing of [throwing.append(entry), throwing.flush?.(), throwing.close?.()])
    await expect(writing).rejects.toThrow("full");
  const silent = promisingSink({ append: () => undefined } as unknown as AuditSink);
  await expect(silent.append(entry)).resolves.toBeUndefined();
});
