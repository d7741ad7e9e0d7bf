import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { createMemoFile } from "./memo-file.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memo-"));
  path = join(folder, "state/memo.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("facts are known at once and to the next process; many changes are written once", async () => {
  const clock = createTestClock();
  const memo = createMemoFile(path, clock);
  memo.set("era", { verdict: "modern" });
  memo.set("__proto__", 1);
  memo.set("gone", 2);
  memo.delete("gone");
  expect(memo.get("era")).toEqual({ verdict: "modern" });
  expect(clock.pending()).toBe(1);
  expect(existsSync(path)).toBe(false);
  await clock.advance(200);
  await memo.flush();
  expect(readdirSync(join(folder, "state"))).toEqual(["memo.json"]);
  const next = createMemoFile(path, clock);
  expect([next.get("era"), next.get("__proto__"), next.get("gone"), next.get("toString")]).toEqual([
    { verdict: "modern" },
    1,
    undefined,
    undefined,
  ]);
});

test("a value that is changed after it was set or got does not change the fact", () => {
  const memo = createMemoFile(path, createTestClock());
  const value = { a: [1] };
  memo.set("k", value);
  value.a.push(2);
  (memo.get("k") as { a: number[] }).a.push(3);
  expect(memo.get("k")).toEqual({ a: [1] });
});

test("two processes keep each other's facts", async () => {
  const clock = createTestClock();
  const [one, two] = [createMemoFile(path, clock), createMemoFile(path, clock)];
  one.set("a", 1);
  two.set("b", 2);
  await one.flush();
  await two.flush();
  const next = createMemoFile(path, clock);
  expect([next.get("a"), next.get("b")]).toEqual([1, 2]);
});

test.each(["", "{", "[]", '{"entries":7}', '{"entries":[["a"],[1,2],null,["b"]]}', "\ud800"])(
  "a corrupt file %j counts as empty and is replaced",
  async (content) => {
    const memo = createMemoFile(join(folder, "memo.json"), createTestClock());
    writeFileSync(join(folder, "memo.json"), content);
    expect([memo.get("a"), memo.get("b")]).toEqual([undefined, undefined]);
    memo.set("a", true);
    await memo.flush();
    expect(createMemoFile(join(folder, "memo.json"), createTestClock()).get("a")).toBe(true);
  },
);

test("the oldest facts are forgotten when there are too many, or too long ones", () => {
  const memo = createMemoFile(path, createTestClock());
  for (let index = 0; index < 600; index += 1) memo.set(`k${index}`, index);
  expect([memo.get("k87"), memo.get("k88")]).toEqual([undefined, 88]);
  memo.set("long", "x".repeat(4 * 1024 * 1024 - 10));
  expect([memo.get("k599"), memo.get("long")]).toEqual([undefined, expect.any(String)]);
  memo.set("longer", "x".repeat(4 * 1024 * 1024 + 1));
  expect(memo.get("longer")).toBeUndefined();
});

test("a place that cannot be written costs nobody anything", async () => {
  writeFileSync(join(folder, "state"), "in the way");
  const memo = createMemoFile(path, createTestClock());
  memo.set("a", 1);
  await memo.flush();
  expect(memo.get("a")).toBe(1);
});
