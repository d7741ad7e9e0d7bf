import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import type { CallFacts } from "../types/policy.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { parseRules } from "./rules.ts";

function meets(rule: string, values: JsonObject, parts: Partial<CallFacts> = {}): boolean {
  const [parsed] = parseRules([rule], "user");
  return (
    parsed !== undefined && meetsConditions(parsed, createCallView(makeFacts(makeTool(), values, parts)))
  );
}

test("every condition must be met, and an absent argument meets none", () => {
  expect(meets("allow s/t a=1 b=x", { a: 1, b: "x" })).toBe(true);
  expect(meets("allow s/t a=1 b=x", { a: 1, b: "y" })).toBe(false);
  expect(meets("allow s/t a=1 b=**", { a: 1 })).toBe(false);
  expect(meets("deny s/t b=**", { a: 1 })).toBe(false);
});

test("values are compared as text: numbers, truth values, null and whole objects", () => {
  expect(meets("allow s/t a=1.5 b=true c=null", { a: 1.5, b: true, c: null })).toBe(true);
  expect(meets('allow s/t a="{\\"x\\":1}"', { a: { x: 1 } })).toBe(true);
});

test("a path goes into objects by own properties only", () => {
  expect(meets("allow s/t a.b=x", { a: { b: "x" } })).toBe(true);
  expect(meets("allow s/t constructor.name=**", {})).toBe(false);
  expect(meets("allow s/t a.length=**", { a: "text" })).toBe(false);
});

test("of a list all members must fit an allow, and one is enough for a deny", () => {
  const values = { paths: ["/srv/a", "/etc/passwd"], edits: [{ path: "/srv/a" }, { path: "/etc/x" }] };
  expect(meets("allow s/t paths=/srv/**", values)).toBe(false);
  expect(meets("deny s/t paths=/etc/**", values)).toBe(true);
  expect(meets("allow s/t edits.path=/srv/**", values)).toBe(false);
  expect(meets("deny s/t edits.path=/etc/**", values)).toBe(true);
  expect(meets("allow s/t paths.0=/srv/**", values)).toBe(true);
  expect(meets("allow s/t paths=/srv/**", { paths: ["/srv/a", "/srv/b"] })).toBe(true);
});

test("a list without members, or with one that lacks the argument, does not fit an allow", () => {
  expect(meets("allow s/t paths=**", { paths: [] })).toBe(false);
  expect(meets("allow s/t edits.path=**", { edits: [{ path: "a" }, {}] })).toBe(false);
  expect(meets("ask s/t edits.path=**", { edits: [{ path: "a" }, {}] })).toBe(true);
});

test("a wildcard of an allow never stands for a step up", () => {
  for (const path of ["/srv/../etc/x", "/srv/a/..", "/srv/..\\etc", "/srv/%2e%2e/etc", "/srv/%2e./etc"]) {
    expect(meets("allow s/t path=/srv/**", { path })).toBe(false);
  }
  expect(meets("allow s/t path=/srv/**", { path: "/srv/a..b/c" })).toBe(true);
  expect(meets("allow s/t path=/srv/../x", { path: "/srv/../x" })).toBe(true);
});

test("a step up, a dot or a doubled slash is no way around a deny or an ask", () => {
  for (const path of ["/etc/x", "/srv/../etc/x", "/./etc/x", "//etc//x", "/srv\\..\\etc\\x"]) {
    expect(meets("deny s/t path=/etc/**", { path })).toBe(true);
    expect(meets("ask s/t path=/etc/**", { path })).toBe(true);
  }
});
