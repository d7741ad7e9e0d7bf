import { expect, test } from "vitest";
import type { ArgumentCondition } from "../types/grants.ts";
import { describeConditions, readConditions } from "./argument-conditions.ts";
import { indexConditions } from "./condition-index.ts";

const under = (folder: string, argument = ["path"]): ArgumentCondition => ({
  type: "under",
  argument,
  folder,
});
const host = (origin: string): ArgumentCondition => ({ type: "host", argument: ["url"], origin });
const equals = (value: string | number | boolean | null, argument = ["a"]): ArgumentCondition => ({
  type: "equals",
  argument,
  value,
});

test("conditions are kept in the order of their text, each with its own members only", () => {
  const more = { folder: "src", origin: "https://a.test", value: 1 };
  expect(
    readConditions([
      { ...host("https://a.test"), ...more, type: "host" },
      { ...under("src"), ...more, type: "under" },
      { ...equals(1), ...more, type: "equals" },
    ]),
  ).toEqual([equals(1), under("src"), host("https://a.test")]);
  for (const value of [null, true, 0, ""]) expect(readConditions([equals(value)])).toEqual([equals(value)]);
});

test("up to eight conditions are kept, of arguments up to eight keys deep", () => {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => equals(value));
  expect(readConditions(eight)).toHaveLength(8);
  const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
  expect(readConditions([equals(1, keys)])).toEqual([equals(1, keys)]);
  expect(readConditions([equals(1, [...keys, "i"])])).toBeNull();
});

test("what only resembles a condition is none", () => {
  for (const wrong of [
    { type: "under", argument: ["a"], folder: 5 },
    { type: "under", argument: ["a"], value: 1 },
    { type: "host", argument: ["a"], origin: 5 },
    { type: "host", argument: ["a"], value: 1 },
    { type: "equals", argument: ["a", 1], value: 1 },
    { type: "equals", argument: "a", value: 1 },
    { type: "equals", argument: ["a"] },
    { type: "other", argument: ["a"], value: 1, folder: "src", origin: "https://a.test" },
  ]) {
    expect(readConditions([wrong])).toBeNull();
  }
});

test("conditions are told with their values as they are written, and folders with one slash behind them", () => {
  expect(describeConditions([equals("1"), equals(1), equals(null), under("src//"), under("C:\\x\\")])).toBe(
    'a is "1" and a is 1 and a is null and path is under src/ and path is under "C:\\\\x/"',
  );
  expect(describeConditions([host("https://a.test")])).toBe("url is at https://a.test");
});

test("grants are found by their folders, origins and values, several of one target too", () => {
  const grants = {
    root: { conditions: [under("/")] },
    src: { conditions: [under("/src")] },
    srcToo: { conditions: [under("/src/"), equals(1)] },
    here: { conditions: [under("src")] },
    site: { conditions: [host("https://a.test")] },
    one: { conditions: [equals(1)] },
    always: {},
    none: { conditions: [] },
  };
  const find = indexConditions<{ readonly conditions?: readonly ArgumentCondition[] }>(Object.values(grants));
  const found = (values: Parameters<typeof find>[0]) =>
    Object.entries(grants).flatMap(([name, grant]) => (find(values).includes(grant) ? [name] : []));
  expect(found({ path: "/src/x", a: 1 })).toEqual(["root", "src", "srcToo", "one"]);
  expect(found({ path: "/src/x" })).toEqual(["root", "src"]);
  expect(found({ path: "/" })).toEqual(["root"]);
  expect(found({ path: "src/x" })).toEqual(["here"]);
  expect(found({ path: "srcs/x" })).toEqual([]);
  expect(found({ path: 5, url: 5, a: "1" })).toEqual([]);
  expect(found({ url: "https://a.test/x" })).toEqual(["site"]);
  expect(found({ url: "https://b.test/x" })).toEqual([]);
  expect(found({})).toEqual([]);
});
