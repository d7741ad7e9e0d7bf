import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../types/json.ts";
import { mapJson } from "./map-json.ts";

const upper = (text: string) => text.toUpperCase();
const same = (text: string) => text;

test("strings and keys are replaced wherever they stand, and other values stay", () => {
  expect(mapJson({ a: ["b", { c: "d" }], e: [null, true, 1.5, []] }, { text: upper })).toEqual({
    A: ["B", { C: "D" }],
    E: [null, true, 1.5, []],
  });
  expect(mapJson("a", { text: upper })).toBe("A");
  expect(mapJson(null, { text: upper })).toBeNull();
  expect(mapJson(false, { text: upper })).toBe(false);
});

test("a number stays one unless its digits are replaced", () => {
  const text = (found: string) => found.replace("12345678", "secret");
  expect(mapJson([12345678, 1234], { text })).toEqual(["secret", 1234]);
});

test("keys that become the same are told apart by their place, and none is lost", () => {
  expect(mapJson({ a: 1, b: 2, c: 3 }, { text: () => "x" })).toEqual({ x: "x", "x (2)": "x", "x (3)": "x" });
  const text = (found: string) => (found === "b" ? "a" : found);
  expect(mapJson({ "a (3)": 0, a: 1, b: "c" }, { text })).toEqual({ "a (3)": 0, a: 1, "a (4)": "c" });
});

test("`__proto__` is a key like any other, and members of the copy are ordinary ones", () => {
  const value = JSON.parse('{"__proto__":{"a":"b"}}') as Json;
  const copy = mapJson(value, { text: same }) as Record<string, Json>;
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":"b"}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(Object.getOwnPropertyDescriptor(copy, "__proto__")).toMatchObject({
    configurable: true,
    enumerable: true,
    writable: true,
  });
});

test("what lies deeper than is kept is one sentence, and nothing less deep is", () => {
  const left = "(what lies deeper than 2 levels is left out)";
  const mapping = { text: same, maxDepth: 2 };
  expect(mapJson([[1], { a: 1 }, 1], mapping)).toEqual([[1], { a: 1 }, 1]);
  expect(mapJson([[[1]], { a: {} }], mapping)).toEqual([[left], { a: left }]);
  expect(mapJson({ a: { b: [] } }, mapping)).toEqual({ a: { b: left } });
});

test("a value as deep as memory allows is copied", () => {
  let deep: Json = "a";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  let copy = mapJson(deep, { text: upper });
  while (Array.isArray(copy)) copy = copy[0] ?? null;
  expect(copy).toBe("A");
});

test("a copy without replacements is the same value and another object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(JSON.stringify(mapJson(json, { text: same }))).toBe(JSON.stringify(json));
    }),
    { numRuns: 50 },
  );
});
