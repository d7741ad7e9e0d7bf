import { expect, test } from "vitest";
import type { Json, JsonObject } from "../types/json.ts";
import { offeredConditions } from "./argument-conditions.ts";

/** What is offered of one argument: its folder, origin or value. */
function offered(name: string, value: Json): unknown {
  const [condition] = offeredConditions({ [name]: value });
  if (condition === undefined) return null;
  if (condition.type === "equals") return ["equals", condition.value];
  return condition.type === "under" ? ["under", condition.folder] : ["host", condition.origin];
}

test("eight arguments are offered at most, each by the keys that lead to it, down to the fourth", () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a${index}`, index]));
  expect(offeredConditions(many).map(({ argument }) => argument[0])).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `a${index}`),
  );
  const nested: JsonObject = { a: { b: { c: { d: 1, e: { f: 2 } } } } };
  expect(offeredConditions(nested)).toEqual([{ type: "equals", argument: ["a", "b", "c", "d"], value: 1 }]);
});

test("a text of 200 characters may be asked to come again, and a longer one not", () => {
  expect(offered("a", "x".repeat(200))).toEqual(["equals", "x".repeat(200)]);
  expect(offered("a", "x".repeat(201))).toBeNull();
  expect(offered("a", ["x"])).toBeNull();
  expect(offered("a", null)).toEqual(["equals", null]);
});

test("what has a space is a path where its name says so", () => {
  expect(offered("text", "one and/or two")).toEqual(["equals", "one and/or two"]);
  expect(offered("file", "one and/or two")).toEqual(["under", "one and"]);
  expect(offered("outputDir", "one and/or two")).toEqual(["under", "one and"]);
  expect(offered("text", "and/or")).toEqual(["under", "and"]);
});

test("what lies at a root, in the working folder or in no folder that can be told is offered as it is", () => {
  for (const path of ["/", "/x", "x", "./x", ".", "C:\\x", "C:x", "a/../b/c", "~/x", "a\\b"]) {
    expect(offered("path", path)).toEqual(["equals", path]);
  }
  expect(offered("path", "/srv/x")).toEqual(["under", "/srv"]);
  expect(offered("path", "/srv/x/")).toEqual(["under", "/srv"]);
  expect(offered("path", "/a./b/c")).toEqual(["under", "/a./b"]);
  expect(offered("path", "a./b/c")).toEqual(["under", "a./b"]);
  expect(offered("path", "C:\\work\\x")).toEqual(["under", "C:/work"]);
  expect(offered("path", "./a//./b/c")).toEqual(["under", "a/b"]);
});
