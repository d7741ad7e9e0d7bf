import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { createKnownListFiles } from "./known-lists.ts";

let root = "";
let folder = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "known-"));
  folder = join(root, "state", "known");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const key = "a".repeat(64);
const path = () => join(folder, `${key}.json`);

test("a list is known at once, is written once for many changes, and only its owner may read it", async () => {
  const clock = createTestClock();
  const known = createKnownListFiles(folder, clock);
  known.write(key, { n: 1 });
  known.write(key, { n: 2 });
  expect(await known.read(key)).toEqual({ n: 2 });
  expect(clock.pending()).toBe(1);
  await clock.advance(200);
  await known.flush();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const next = createKnownListFiles(folder, clock);
  expect(await next.read(key)).toEqual({ n: 2 });
  next.write(key, undefined);
  expect(await next.read(key)).toBeUndefined();
  await next.flush();
  expect(readdirSync(folder)).toEqual([]);
});

test("what was damaged counts as not there", async () => {
  const known = createKnownListFiles(folder, createTestClock());
  known.write(key, { tools: ["abc"] });
  await known.flush();
  const whole = readFileSync(path(), "utf8");
  for (const text of ["", "{}", whole.slice(0, -1), whole.replace("abc", "abd"), `${whole} `]) {
    writeFileSync(path(), text);
    expect(await known.read(key)).toBeUndefined();
  }
  writeFileSync(path(), whole);
  expect(await known.read(key)).toEqual({ tools: ["abc"] });
});

test("a list that is too long is not kept, and nothing is kept under a name that is no key", async () => {
  const known = createKnownListFiles(folder, createTestClock());
  known.write(key, 1);
  known.write("../../outside", 1);
  await known.flush();
  expect(readdirSync(folder)).toEqual([`${key}.json`]);
  known.write(key, "x".repeat(8 * 1024 * 1024));
  await known.flush();
  expect(readdirSync(folder)).toEqual([]);
  expect(await known.read("../../outside")).toBeUndefined();
});

test("the oldest go when there are too many", async () => {
  const known = createKnownListFiles(folder, createTestClock());
  const keys = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(64, "0"));
  for (const name of keys) known.write(name, 1);
  await known.flush();
  utimesSync(join(folder, `${keys[7]}.json`), 1, 1);
  known.write(key, 1);
  await known.flush();
  const left = readdirSync(folder);
  expect(left).toHaveLength(256);
  expect(left).not.toContain(`${keys[7]}.json`);
  expect(left).toContain(`${key}.json`);
});

test("a place that cannot be written costs nobody anything", async () => {
  writeFileSync(join(root, "state"), "in the way");
  const known = createKnownListFiles(folder, createTestClock());
  known.write(key, 1);
  await known.flush();
  expect(await known.read(key)).toBeUndefined();
});
