import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attacks, behaviours } from "./manifest.ts";

const all = [...behaviours, ...attacks];
const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Whether the file has a test of this name: the name stands there as the first argument of a test. */
function hasTest(file: string, name: string): boolean {
  const source = read(file);
  return [JSON.stringify(name), `\`${name}\``].some((written) => {
    const at = source.indexOf(written);
    return at > 0 && /\(\s*$/.test(source.slice(0, at));
  });
}

test("all 18 behaviours are there, in order, each with its rule, its code, its tests and its removals", () => {
  expect(behaviours.map(({ id }) => id)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
  for (const { behaviour, source, implementation, tests, removals } of all) {
    expect(behaviour).toMatch(/\.$/);
    for (const list of [source, implementation, tests, removals]) expect(list).not.toEqual([]);
  }
});

test("every file that the manifest names is there", () => {
  const files = all.flatMap(({ implementation, tests, removals }) => [
    ...implementation,
    ...[...tests, ...removals].map(({ file }) => file),
  ]);
  expect([...new Set(files)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every test that the manifest names is in its file", () => {
  const named = all.flatMap(({ tests }) => tests);
  expect(named.filter(({ file, name }) => !hasTest(file, name))).toEqual([]);
});

test("what a removal takes out stands exactly once in its file", () => {
  const removals = all.flatMap((one) => one.removals);
  const wrong = removals.filter(({ file, find }) => read(file).split(find).length !== 2);
  expect(wrong.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
});

test("what a removal breaks is a test of its behaviour, and no two removals are the same", () => {
  for (const { tests, removals } of all) {
    const names = tests.map(({ name }) => name);
    for (const { breaks } of removals) expect(names).toContain(breaks);
    const edits = removals.map(({ file, find, replace }) => JSON.stringify([file, find, replace]));
    expect(new Set(edits).size).toBe(edits.length);
  }
});
