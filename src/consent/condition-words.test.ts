import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { parseRules } from "./rules.ts";

const meaning = (condition: string) => parseRules([`deny s/t ${condition}`], "user")[0]?.meaning;

function meets(rule: string, values: JsonObject): boolean {
  const [parsed] = parseRules([rule], "user");
  return parsed !== undefined && meetsConditions(parsed, createCallView(makeFacts(makeTool(), values)));
}

test("a condition means the same however it is written, and two conditions never the same", () => {
  expect(meaning('a="x"')).toBe(meaning("a=x"));
  expect(meaning('"a".b=x')).toBe(meaning("a.b=x"));
  expect(meaning('regex("a")=x')).toBe(meaning("regex(a)=x"));
  expect(meaning('@principal="ann"')).toBe(meaning("@principal=ann"));
  const different = [
    "a=x",
    "a=y",
    "b=x",
    'a="*"',
    "a=*",
    "regex(a)=x",
    "regex(a)=y",
    "regex(b)=x",
    "host(a)=x",
    "host(a)=y",
    "under(a)=/x",
    "under(a)=/y",
    "under(b)=/x",
    "@principal=ann",
    "@principal=bob",
    "@trust=trusted",
    "@trust=untrusted",
    "@mode=headless",
    "@readOnly=true",
    "@readOnly=false",
    "@destructive=true",
    "@flow=untrusted->write",
    "@flow=private->open-world",
  ];
  expect(new Set(different.map(meaning)).size).toBe(different.length);
});

test("the name of an argument in parentheses may be quoted, as a whole or in parts", () => {
  for (const written of ['under("my path")=/srv', 'under(my" "path)=/srv', 'under("my "path)=/srv']) {
    expect(meets(`allow s/t ${written}`, { "my path": "/srv/x" })).toBe(true);
    expect(meets(`allow s/t ${written}`, { "my path": "/etc/x" })).toBe(false);
  }
  expect(meets("allow s/t under(a.b)=/srv", { a: { b: "/srv/x" } })).toBe(true);
});

test.each([
  ["under(path=/srv", "under( is closed by ) before ="],
  ['under("path)"=/srv', "under( is closed by ) before ="],
  ["under()=/srv", "the path of an argument is expected"],
  ["under(a..b)=/srv", "the path of an argument is expected"],
  ["under(path)=/srv/*", "under takes one folder"],
  ['under(path)="/srv/"*', "under takes one folder"],
  ["under(path)=/srv/../etc", "under takes one folder"],
  ["under(path)=/s?v", "only * and ** are wildcards"],
  ["size(path)=3", "size( is no condition"],
  ['@"trust"=trusted', "the name of a condition behind @ has no quotes"],
  ["path", "a condition is written path=glob"],
  ["=x", "the path of an argument is expected"],
])("`%s` is not valid, and says what was expected", (condition, expected) => {
  expect(() => parseRules([`deny s/t ${condition}`], "user")).toThrow(expected);
});

test("a path is worked out for a denial as a server may read it: above a root there is the root", () => {
  expect(meets("deny s/t path=/x", { path: "/../x" })).toBe(true);
  expect(meets("deny s/t path=/x", { path: "/a/../../x" })).toBe(true);
  expect(meets("deny s/t path=a/x", { path: "a/b/c/../../x" })).toBe(true);
  expect(meets("deny s/t path=a/x", { path: "a/./x" })).toBe(true);
  expect(meets("deny s/t path=x", { path: "../x" })).toBe(false);
  expect(meets("deny s/t path=../x", { path: ".././x" })).toBe(true);
});

test("a number in the name of an argument is a place in a list, written in digits alone", () => {
  const list = Array.from({ length: 11 }, (_, index) => `v${index}`);
  expect(meets("allow s/t a.10=v10", { a: list })).toBe(true);
  expect(meets('deny s/t a."1e1"=v10', { a: list })).toBe(false);
  expect(meets('deny s/t a."+1"=v1', { a: list })).toBe(false);
  expect(meets("deny s/t a.11=**", { a: list })).toBe(false);
  expect(meets("allow s/t a.11=**", { a: list })).toBe(false);
});

test("what would take too much work is not decided: an allow does not hold, and a denial does", () => {
  const pattern = `${"a*".repeat(2_000)}b`;
  const short = { p: "a".repeat(100) };
  const long = { p: "a".repeat(20_000) };
  expect(meets(`allow s/t p=${pattern}`, short)).toBe(false);
  expect(meets(`deny s/t p=${pattern}`, short)).toBe(false);
  expect(meets(`allow s/t p=${"a*".repeat(2_000)}`, long)).toBe(false);
  expect(meets(`deny s/t p=${pattern}`, long)).toBe(true);
  expect(meets("deny s/t p=**b", { p: "a".repeat(200_000) })).toBe(false);
  expect(meets("allow s/t p=**", { p: "a".repeat(200_000) })).toBe(true);
});
