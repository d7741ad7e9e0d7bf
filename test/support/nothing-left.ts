import { afterAll, expect } from "vitest";

// Files of one worker share a process, so each has to leave that as it was. Values are not printed: some are secrets.
const environment = { ...process.env };
const folder = process.cwd();
const mask = process.umask();
const shared = () => ({
  "process.env": process.env,
  fetch: globalThis.fetch,
  "console.log": console.log,
  "console.warn": console.warn,
  "console.error": console.error,
});
const before = shared();

/** Names of members that are not the same. */
function changed(one: object, other: object): string[] {
  const [was, is] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
}

afterAll(() => {
  expect(changed(before, shared())).toEqual([]);
  expect(changed(environment, process.env)).toEqual([]);
  expect(process.cwd()).toBe(folder);
  expect(process.umask()).toBe(mask);
});
