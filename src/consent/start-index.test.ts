import fc from "fast-check";
import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { parseRules } from "./rules.ts";
import { createStartIndex } from "./start-index.ts";

const tool = makeTool({ server: "fs", name: "read" });
const viewOf = (values: Record<string, unknown>) =>
  createCallView(makeFacts(tool, JSON.parse(JSON.stringify(values))));

const starts = ["/etc", "/srv/a", "./x", "x", "/srv/a/b", ".", "/", "{", "5"];
const pattern = fc
  .tuple(fc.constantFrom("", ...starts), fc.constantFrom("", "/**", "*", "/*", "**/.env", "b"))
  .map(([start, end]) => `${start}${end}`)
  .filter((text) => text !== "");
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom("path", "a.b"), pattern)
    .map(([key, text]) => `${key}="${text.replaceAll("*", '"*"')}"`),
  fc.constantFrom("under(path)=/srv", "regex(path)=etc", "@trust=untrusted"),
);
const rule = fc
  .tuple(fc.constantFrom("allow", "ask", "deny"), fc.array(condition, { maxLength: 2 }))
  .map(([effect, conditions]) => `${effect} fs/read ${conditions.join(" ")}`.trim());
const text = fc
  .tuple(
    fc.constantFrom("", ...starts),
    fc.constantFrom("", "/..", "/b", "//", "/./x"),
    fc.constantFrom("", "/b", "b"),
  )
  .map((parts) => parts.join(""));
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constantFrom(5, null, true, { b: "x" }));

test("what a call meets is always among what is found, in order, whatever the rules and the call", () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 17, maxLength: 40 }), value, value, (texts, path, b) => {
      const rules = parseRules(texts, "user");
      const view = viewOf({ path, a: { b } });
      const meets = (one: (typeof rules)[number]) => meetsConditions(one, view);
      expect(createStartIndex(rules)(view).filter(meets)).toEqual(rules.filter(meets));
    }),
    { numRuns: 300 },
  );
});

const many = (of: (index: number) => string) =>
  parseRules(
    Array.from({ length: 40 }, (_, index) => of(index)),
    "user",
  );

test("of many rules that ask for other beginnings none is looked at, and one with the same is", () => {
  const find = createStartIndex([
    ...many((index) => `deny fs/read path=/etc/${index}/**`),
    ...parseRules(["ask fs/read"], "user"),
  ]);
  const found = (path: unknown) => find(viewOf({ path })).map(({ text }) => text);
  expect(found("/home/x")).toEqual(["ask fs/read"]);
  expect(found("/etc/7/x")).toEqual(["deny fs/read path=/etc/7/**", "ask fs/read"]);
  expect(found(["/home/x", "/home/../etc/7/x"])).toEqual(["deny fs/read path=/etc/7/**", "ask fs/read"]);
  expect(found(undefined)).toEqual(["ask fs/read"]);
});

test("all rules are looked at where a text is long, where beginnings have many lengths, and of few rules", () => {
  const rules = many((index) => `deny fs/read path=/etc/${index}/**`);
  expect(createStartIndex(rules)(viewOf({ path: "x".repeat(4_882) }))).toEqual([]);
  expect(createStartIndex(rules)(viewOf({ path: "x".repeat(4_883) }))).toBe(rules);
  const lengths = many((index) => `deny fs/read path=/${"e".repeat(index)}/**`);
  expect(createStartIndex(lengths)(viewOf({ path: "x" }))).toBe(lengths);
  const few = rules.slice(0, 16);
  expect(createStartIndex(few)(viewOf({ path: "x" }))).toBe(few);
});

test("a list may have any number of values, and any number of rules the same beginning", () => {
  const [rule] = parseRules(["deny fs/read path=/etc/**"], "user");
  if (rule === undefined) throw new Error("It is a rule.");
  const rules = Array.from({ length: 200_000 }, () => rule);
  const path = Array.from({ length: 10_000 }, (_, index) => `/etc/${index}`);
  expect(createStartIndex(rules)(viewOf({ path }))).toHaveLength(200_000);
});
