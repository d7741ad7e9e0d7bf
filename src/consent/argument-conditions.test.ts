import fc from "fast-check";
import { expect, test } from "vitest";
import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import {
  createConditionCheck,
  describeConditions,
  offeredConditions,
  readConditions,
} from "./argument-conditions.ts";
import { indexConditions } from "./condition-index.ts";
import type { NamedCondition } from "./only-condition.ts";

const offered = (values: JsonObject) => describeConditions(offeredConditions(values));
const under = (folder: string): NamedCondition => ({ type: "under", argument: ["path"], folder });
const host = (origin: string): NamedCondition => ({ type: "host", argument: ["url"], origin });
const meets = (condition: NamedCondition, value: Json) =>
  createConditionCheck({ [condition.argument[0] ?? ""]: value })([condition]);

test("a call offers the folder of its paths, the host of its URLs, and the value of what else is short", () => {
  expect(offered({ path: "src/lib/a.ts" })).toBe("path is under src/lib/");
  expect(offered({ file: "/home/me/my notes/a.md" })).toBe('file is under "/home/me/my notes/"');
  expect(offered({ target: "C:\\work\\a.txt" })).toBe("target is under C:/work/");
  expect(offered({ url: "https://Example.com/a?b=c" })).toBe("url is at https://example.com");
  expect(offered({ mode: "fast", count: 3, force: true, none: null })).toBe(
    'mode is "fast" and count is 3 and force is true and none is null',
  );
  expect(offered({ options: { path: "src/a" }, "a b": 1 })).toBe('options.path is under src/ and "a b" is 1');
  expect(offered({ content: "x".repeat(201), list: ["src/a"] })).toBe("");
});

test("a path that says not where it lies offers itself only, and a URL with a user or an odd host too", () => {
  for (const path of [
    "a.ts",
    "./a.ts",
    "/a.ts",
    "../a/b",
    "a/../b/c",
    "~/a/b",
    "$HOME/a/b",
    "a/%2e%2e/b",
    "//h/s/a",
    "a\\b\\c",
    "C:a/b",
    "x\u0000/y",
  ]) {
    expect(offeredConditions({ path })).toEqual([{ type: "equals", argument: ["path"], value: path }]);
  }
  for (const url of [
    "https://me@a.test/",
    "https://a.test?@b.test/",
    "https://a.test#@b.test/",
    "https://a.test\\@b.test/",
    "http://127.1/",
    "http://0x7f.0.0.1/",
    "https:///a.test/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://ａ.test/",
    "http://a.test:99999/",
  ]) {
    expect(offeredConditions({ url }).map(({ type }) => type)).not.toContain("host");
  }
});

test("a path is under a folder by its steps alone: never with a step up, an unknown start, or as something else than text", () => {
  for (const path of [
    "src",
    "src/",
    "src/a",
    "./src/a",
    "src//a/./b",
    "src/...a",
    "src/a..b",
    "src/[id].ts",
    "src/日本",
  ]) {
    expect([path, meets(under("src"), path)]).toEqual([path, true]);
  }
  for (const path of [
    "srcs/a",
    "Src/a",
    "/src/a",
    "a/src/b",
    "..",
    "src/..",
    "src/../etc",
    "src/.. /x",
    "src/. ./x",
    "src/‥/x",
    "src/．．/x",
    "src/..／x",
    "src/..\u200b/x",
    "src/.\u00ad./x",
    "src/..,x",
    "src\\..\\x",
    "src/a\\..\\..\\x",
    "src/%2e%2e/x",
    "src/$HOME",
    "src/{a,../b}",
    "src/*",
    "~/src/a",
    "",
    "src/\u0000",
    " src/a",
    "src/a ",
    `src/${"a/".repeat(3000)}`,
  ]) {
    expect([path, meets(under("src"), path)]).toEqual([path, false]);
  }
  for (const value of [null, 1, true, ["src/a"], { path: "src/a" }])
    expect(meets(under("src"), value)).toBe(false);
  expect(meets(under("/home/me"), "/home/me/a")).toBe(true);
  for (const path of ["/home/me2", "/home/me/../you", "//home/me/a", "home/me/a", "\\home\\me\\a"]) {
    expect(meets(under("/home/me"), path)).toBe(false);
  }
  expect(meets(under("C:\\work"), "C:/work\\a")).toBe(true);
  for (const path of ["C:\\work\\..\\x", "C:work\\a", "C:\\work\\a:b", "D:\\work\\a"]) {
    expect(meets(under("C:\\work"), path)).toBe(false);
  }
});

test("a URL is at a host only with the same scheme, host and port, and without anything that hides another one", () => {
  for (const url of ["https://a.test", "https://A.test/x", "https://a.test:443/?y#z"]) {
    expect([url, meets(host("https://a.test"), url)]).toEqual([url, true]);
  }
  for (const url of [
    "http://a.test/",
    "https://b.a.test/",
    "https://a.test.b.test/",
    "https://a.test:8443/",
    "https://a.test@b.test/",
    "https://b.test/https://a.test",
    "https://a.test\\.b.test/",
    "//a.test/",
    "a.test",
    " https://a.test/",
    "https://a.test/ x",
  ]) {
    expect([url, meets(host("https://a.test"), url)]).toEqual([url, false]);
  }
});

test("an argument that is equal is the same value of the same kind, of the call itself", () => {
  const is = (value: string | number | null): NamedCondition => ({
    type: "equals",
    argument: ["a"],
    value,
  });
  expect(meets(is(1), 1)).toBe(true);
  expect(meets(is(1), "1")).toBe(false);
  expect(meets(is(null), null)).toBe(true);
  expect(createConditionCheck({})([is(null)])).toBe(false);
  const inherited: ArgumentCondition = { type: "equals", argument: ["__proto__", "a"], value: 1 };
  expect(createConditionCheck(JSON.parse("{}"))([inherited])).toBe(false);
  expect(createConditionCheck(JSON.parse('{"__proto__":{"a":1}}'))([inherited])).toBe(true);
});

test("all conditions must be met, and none is no condition", () => {
  const check = createConditionCheck({ path: "src/a", url: "https://a.test/" });
  expect(check([under("src"), host("https://a.test")])).toBe(true);
  expect(check([under("src"), host("https://b.test")])).toBe(false);
  expect(check([])).toBe(false);
});

test("what is not a list of conditions is none, and the order in which they are written means nothing", () => {
  const wrong: unknown[] = [
    null,
    [],
    "x",
    [null],
    [{ type: "under", argument: [], folder: "src" }],
    [{ type: "under", argument: ["a"], folder: "../x" }],
    [{ type: "host", argument: ["a"], origin: "https://a.test/" }],
    [{ type: "equals", argument: ["a"], value: {} }],
    [{ type: "equals", argument: [1], value: 1 }],
    [{ type: "matches", argument: ["a"], value: 1 }],
    Array.from({ length: 9 }, () => under("src")),
  ];
  for (const one of wrong) expect(readConditions(one)).toBeNull();
  const a = under("src");
  const b = host("https://a.test");
  expect(readConditions([b, a, { ...a }])).toEqual(readConditions([a, b]));
  expect(Object.isFrozen(readConditions([a])?.[0])).toBe(true);
});

test("conditions in words are escaped and on one line", () => {
  const odd: ArgumentCondition = { type: "equals", argument: ["a\n\u202e"], value: "\u001b[2K" };
  expect(describeConditions([odd])).toBe('"a\\n\\u202e" is "\\u001b[2K"');
  expect(describeConditions([under("a\u200b b")])).toBe('path is under "a\\u200b b/"');
});

const name = fc.constantFrom("path", "url", "mode");
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc
    .array(fc.constantFrom("src", "a", "..", ".", "", "/", "~", "\\"), { maxLength: 6 })
    .map((steps) => steps.join("/")),
  fc.constantFrom("https://a.test/x", "https://b.test", "http://a.test"),
);
const values = fc.dictionary(name, fc.oneof(text, fc.integer({ max: 3 }), fc.boolean()));

test("a call always meets what it offers, and never a folder that it steps out of", () => {
  fc.assert(
    fc.property(values, (one) => {
      const conditions = offeredConditions(one as JsonObject);
      if (conditions.length > 0) {
        expect(createConditionCheck(one as JsonObject)(conditions)).toBe(true);
        expect(readConditions(JSON.parse(JSON.stringify(conditions)))).not.toBeNull();
      }
      const path = String(one.path);
      if (/(^|[/\\])\.\.([/\\]|$)/.test(path)) expect(meets(under("src"), path)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["./~/src", { type: "under", argument: ["path"], folder: "./~" }],
  ["./-a/src", { type: "under", argument: ["path"], folder: "-a" }],
  ["./ /src", { type: "equals", argument: ["path"], value: "./ /src" }],
  ["/a /src", { type: "equals", argument: ["path"], value: "/a /src" }],
])("of %j the folder is offered only as it is read again", (path, offered) => {
  expect(offeredConditions({ path })).toEqual([offered]);
  expect(createConditionCheck({ path })([offered as ArgumentCondition])).toBe(true);
  expect(readConditions([offered])).toEqual([offered]);
});

test("the grants that are found for a call are those that it meets one by one", () => {
  fc.assert(
    fc.property(fc.array(values, { maxLength: 12 }), values, (others, one) => {
      const grants = others.map((each) => ({ conditions: offeredConditions(each as JsonObject) }));
      const check = createConditionCheck(one as JsonObject);
      const found = indexConditions(grants)(one as JsonObject);
      expect(new Set(found)).toEqual(new Set(grants.filter(({ conditions }) => check(conditions))));
    }),
    { numRuns: 200 },
  );
});
