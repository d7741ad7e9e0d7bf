import { expect, test } from "vitest";
import { makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import { definitionChanges, describeChanges } from "./definition-changes.ts";
import { pathChanges } from "./path-changes.ts";
import { wholeTexts, wordChanges } from "./word-changes.ts";

const tool = makeTool({ description: "a" });
const { definition, definitionHash, configHash } = tool;
const now = makeTool({ description: "b" });

test("what changed is said with its day, and what cannot be said is not", () => {
  const before = { definitionHash, definition, at: "2026-01-02T03:04:05.000Z" };
  const text = "description: [-a-]{+b+}";
  expect(describeChanges(before, tool)).toEqual([]);
  expect(describeChanges(before, now)).toEqual([
    "Its definition changed since it was allowed on 2026-01-02.",
    text,
  ]);
  const today = "Its definition changed since it was first seen.";
  expect(describeChanges({ ...before, at: "" }, now, "it was first seen")).toEqual([today, text]);
  expect(describeChanges({ definitionHash, definition }, now, "it was first seen")).toEqual([today, text]);
  expect(describeChanges({ definitionHash, definition: null }, now)).toEqual([
    "Its definition changed since it was allowed. What it was is not known any more.",
  ]);
});

test("a changed configuration of the server is said first, and by itself", () => {
  const configured = "The configuration of its server changed since the tool was allowed.";
  const before = { configHash: "other", definitionHash, definition };
  expect(describeChanges(before, tool)).toEqual([configured]);
  expect(describeChanges(before, now)[0]).toBe(configured);
  expect(describeChanges({ ...before, configHash }, tool)).toEqual([]);
});

test("every part of a definition that changed has its text, and no other", () => {
  const base = { name: "t", description: "d", inputSchema: {}, annotations: {} };
  expect(definitionChanges(base, base)).toEqual([]);
  expect(definitionChanges(base, { ...base, title: "T" })).toEqual(['title: was absent, is "T"']);
  expect(definitionChanges({ ...base, title: "T" }, base)).toEqual(['title: was "T", is absent']);
  expect(
    definitionChanges(base, {
      ...base,
      inputSchema: { type: "object" },
      outputSchema: {},
      annotations: { readOnlyHint: true },
    }),
  ).toEqual([
    'inputSchema.type added: "object"',
    "outputSchema added: {}",
    "annotations.readOnlyHint added: true",
  ]);
});

test("what stayed far from a difference is left out: five words on each side stay", () => {
  const words = (count: number, mark: string) =>
    Array.from({ length: count }, (_, i) => `${mark}${i}`).join(" ");
  expect(wordChanges(`${words(6, "a")} old`, `${words(6, "a")} new`)).toBe(
    "a0 a1 a2 a3 a4 a5[- old-]{+ new+}",
  );
  expect(wordChanges(`${words(7, "a")} old`, `${words(7, "a")} new`)).toBe(
    "… a2 a3 a4 a5 a6[- old-]{+ new+}",
  );
  expect(wordChanges(`old ${words(7, "a")}`, `new ${words(7, "a")}`)).toBe("[-old-]{+new+} a0 a1 a2 a3 a4 …");
  expect(wordChanges(`old ${words(11, "a")} old`, `new ${words(11, "a")} new`)).toBe(
    `[-old-]{+new+} ${words(11, "a")}[- old-]{+ new+}`,
  );
  expect(wordChanges(`old ${words(12, "a")} old`, `new ${words(12, "a")} new`)).toBe(
    "[-old-]{+new+} a0 a1 a2 a3 a4 … a7 a8 a9 a10 a11[- old-]{+ new+}",
  );
});

test("the fewest words are marked, also where words come again", () => {
  expect(wordChanges("a b a c", "a b c")).toBe("a b[- a-] c");
  expect(wordChanges("a", "a a")).toBe("a{+ a+}");
  expect(wordChanges("x a y b z", "q a w b e")).toBe("[-x-]{+q+} a[- y-]{+ w+} b[- z-]{+ e+}");
  expect(wordChanges("q a b c d e", "q b x d e y")).toBe("q[- a-] b[- c-]{+ x+} d e{+ y+}");
  expect(wordChanges("", "a b")).toBe("{+a b+}");
  expect(wordChanges("a b", "")).toBe("[-a b-]");
  expect(wordChanges("a ", "a")).toBe("a[- -]");
});

test("up to 600 words are compared, and more stand whole, cut", () => {
  const many = (count: number, mark: string) =>
    Array.from({ length: count }, (_, i) => `${mark}${i}`).join(" ");
  expect(wordChanges(many(600, "a"), "b")).toMatch(/^\[-a0 /);
  expect(wordChanges(many(601, "a"), "b")).toMatch(/^was "a0 .* more characters", is "b"$/);
  expect(wordChanges("b", many(601, "a"))).toMatch(/^was "b", is "a0 .* more characters"$/);
  expect(wordChanges("b", many(600, "a"))).toMatch(/^\[-b-\]\{\+a0 /);
});

test("what stayed at both ends is not compared: however long it is, the difference is told", () => {
  const many = (mark: string) => Array.from({ length: 700 }, (_, i) => `${mark}${i}`).join(" ");
  expect(wordChanges(`${many("a")} old`, `${many("a")} new`)).toBe(
    "… a695 a696 a697 a698 a699[- old-]{+ new+}",
  );
  expect(wordChanges(`old ${many("a")}`, `new ${many("a")}`)).toBe("[-old-]{+new+} a0 a1 a2 a3 a4 …");
  expect(wordChanges(`${many("a")} old ${many("b")}`, `${many("a")} ${many("b")}`)).toBe(
    "… a695 a696 a697 a698 a699[- old-] b0 b1 b2 b3 b4 …",
  );
  expect(wordChanges(`${many("a")} x`, many("a"))).toBe("… a695 a696 a697 a698 a699[- x-]");
  expect(wordChanges(many("a"), `${many("a")} x`)).toBe("… a695 a696 a697 a698 a699{+ x+}");
  expect(wordChanges("a a", "a a a")).toBe("a a{+ a+}");
});

test("long texts are cut at their limits, with what is left out counted, and between no pair of a letter", () => {
  expect(wholeTexts("x".repeat(200), "y".repeat(201))).toBe(
    `was "${"x".repeat(200)}", is "${"y".repeat(200)}… 1 more characters"`,
  );
  expect(wholeTexts(undefined, `${"y".repeat(199)}😀`)).toBe(
    `was absent, is "${"y".repeat(199)}… 2 more characters"`,
  );
  expect(wordChanges("", "x".repeat(796))).toBe(`{+${"x".repeat(796)}+}`);
  expect(wordChanges("", "x".repeat(797))).toBe(`{+${"x".repeat(797)}+… 1 more characters`);
});

test("twelve differences are shown, and the others counted up to a thousand", () => {
  const members = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index + 1_000}`, 1]));
  expect(pathChanges("s", {}, members(12))).toHaveLength(12);
  expect(pathChanges("s", {}, members(13)).at(-1)).toBe("s: 1 more differences");
  expect(pathChanges("s", {}, members(13))).toHaveLength(13);
  expect(pathChanges("s", {}, members(999)).at(-1)).toBe("s: 987 more differences");
  expect(pathChanges("s", {}, members(1_000)).at(-1)).toBe("s: many more differences");
  expect(pathChanges("s", {}, members(3_000)).at(-1)).toBe("s: many more differences");
});

test("members are compared one by one, lists and what is deeper than 32 as wholes", () => {
  expect(pathChanges("s", { b: 1, a: [1], c: null }, { a: [1, 2], c: null })).toEqual([
    "s.a: was [1], is [1,2]",
    "s.b removed",
  ]);
  expect(pathChanges("s", undefined, undefined)).toEqual([]);
  expect(pathChanges("s", { a: 1 }, [1])).toEqual(['s: was {"a":1}, is [1]']);
  const nested = (depth: number, value: number): JsonObject =>
    depth === 0 ? { v: value } : { d: nested(depth - 1, value) };
  expect(pathChanges("s", nested(31, 1), nested(31, 2))).toEqual([`s${".d".repeat(31)}.v: was 1, is 2`]);
  expect(pathChanges("s", nested(32, 1), nested(32, 2))).toEqual([
    `s${".d".repeat(32)}: was {"v":1}, is {"v":2}`,
  ]);
});

test("names and values stand escaped, and cut where they are long", () => {
  expect(pathChanges("s", {}, { "a.b": "\u001b" })).toEqual(['s."a.b" added: "\\u001b"']);
  expect(pathChanges("s", {}, { "$ok-1_": 1 })).toEqual(["s.$ok-1_ added: 1"]);
  const long = "k".repeat(80);
  expect(pathChanges("s", {}, { [long]: 1 })).toEqual([`s.${long} added: 1`]);
  expect(pathChanges("s", {}, { [`${long}k`]: 1 })).toEqual([`s."${long}…" added: 1`]);
  expect(pathChanges("s", {}, { a: "x".repeat(118) })).toEqual([`s.a added: "${"x".repeat(118)}"`]);
  expect(pathChanges("s", {}, { a: "x".repeat(119) })).toEqual([
    `s.a added: "${"x".repeat(119)}… 1 more characters`,
  ]);
});
