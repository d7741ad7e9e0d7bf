import fc from "fast-check";
import { expect, test } from "vitest";
import { createGlob, type Glob, type GlobToken, matchesGlob } from "./glob.ts";
import { parseRules } from "./rules.ts";

function valueGlob(pattern: string): Glob {
  const [rule] = parseRules([`allow s/t p=${pattern}`], "user");
  const [condition] = rule?.conditions ?? [];
  if (condition?.type !== "glob") throw new Error("expected a condition");
  return condition.glob;
}

function fits(pattern: string, text: string): boolean {
  return matchesGlob(valueGlob(pattern), text);
}

test("a star stops at separators and two stars do not", () => {
  expect(fits("/a/*", "/a/b.txt")).toBe(true);
  expect(fits("/a/*", "/a/b/c.txt")).toBe(false);
  expect(fits("/a/*", "/a/b\\c.txt")).toBe(false);
  expect(fits("/a/**", "/a/b/c.txt")).toBe(true);
  expect(fits("/a/**", "/ab")).toBe(false);
  expect(fits("**.env", "x/y/prod.env")).toBe(true);
});

test("two stars and a slash stand for whole folders, or for none", () => {
  expect(fits("**/.env", ".env")).toBe(true);
  expect(fits("**/.env", "a/b/.env")).toBe(true);
  expect(fits("**/.env", "prod.env")).toBe(false);
  expect(fits("a/**/b", "a/b")).toBe(true);
  expect(fits("a/**/b", "a/x/y/b")).toBe(true);
  expect(fits("a/**/b", "a/xb")).toBe(false);
});

test("the whole text must fit, and other signs of patterns mean themselves where they stand in quotes or in a URL", () => {
  expect(fits("a", "ab")).toBe(false);
  expect(fits('"a?[b]"', "a?[b]")).toBe(true);
  expect(fits("http://[::1]/?q=*", "http://[::1]/?q=a")).toBe(true);
  expect(fits("a.c", "abc")).toBe(false);
  expect(fits("", "")).toBe(true);
});

test("text in quotes is literal, with wildcards beside it", () => {
  expect(fits('"/my files/"**', "/my files/a/b")).toBe(true);
  expect(fits('"a*"', "a*")).toBe(true);
  expect(fits('"a*"', "ab")).toBe(false);
  expect(fits('"/my files/"**/x', "/my files/x")).toBe(true);
});

test("several wildcards share a text between them, each stopping where it must", () => {
  expect(fits("a*b*c", "axbxc")).toBe(true);
  expect(fits("a*b*c", "abc")).toBe(true);
  expect(fits("a*b*c", "ax/bxc")).toBe(false);
  expect(fits("a*b*c", "axbx\\c")).toBe(false);
  expect(fits("a*b*c", "axcxc")).toBe(false);
  expect(fits("a*b**", "axb/y/z")).toBe(true);
  expect(fits("a*b**", "axb")).toBe(true);
  expect(fits("a*b**", "ax/b")).toBe(false);
  expect(fits("a**b**", "a/xby/z")).toBe(true);
  expect(fits("**/a/*", "x/y/a/b")).toBe(true);
  expect(fits("**/a/*", "a/b")).toBe(true);
  expect(fits("**/a/*", "x/a/b/c")).toBe(false);
  expect(fits("**/a/*", "xa/b")).toBe(false);
  expect(fits("*x", "")).toBe(false);
});

test("a star alone between two texts needs room for both, and may stand before a separator", () => {
  expect(fits("a*/b", "ax/b")).toBe(true);
  expect(fits("a*/b", "a/b")).toBe(true);
  expect(fits("a*/b", "a/x/b")).toBe(false);
  expect(fits("aba*aba", "aba")).toBe(false);
  expect(fits("aba*aba", "abaaba")).toBe(true);
  expect(fits("aba**aba", "ababa")).toBe(false);
});

test("texts next to each other are one, however they are quoted", () => {
  for (const pattern of ['a"b"c', '"a"bc', '"a""b""c"']) {
    const { exact, literal } = valueGlob(pattern);
    expect([exact, literal]).toEqual(["abc", Number.POSITIVE_INFINITY]);
  }
  const { start, end, literal } = valueGlob('a"b"*"c"d');
  expect([start, end, literal]).toEqual(["ab", "cd", 4]);
});

test("a pattern that makes backtracking matchers explode only costs length times length", () => {
  const glob = valueGlob(`${"*a".repeat(40)}*b`);
  expect(matchesGlob(glob, "a".repeat(100_000))).toBe(false);
});

/** The same meaning in the obvious, exponential way. */
function slowly(tokens: readonly GlobToken[], text: string): boolean {
  const [token, ...rest] = tokens;
  if (token === undefined) return text === "";
  if (token.type === "text")
    return text.startsWith(token.text) && slowly(rest, text.slice(token.text.length));
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length)).some((taken) => {
    const may =
      token.type === "anything" ||
      (token.type === "segment" && !/[/\\]/.test(taken)) ||
      (token.type === "folders" && (taken === "" || /[/\\]$/.test(taken)));
    return may && slowly(rest, text.slice(taken.length));
  });
}

test("matching agrees with a plain backtracking matcher on short input", () => {
  const token: fc.Arbitrary<GlobToken> = fc.oneof(
    fc
      .string({ unit: fc.constantFrom("a", "b", "/"), minLength: 1, maxLength: 2 })
      .map((text) => ({ type: "text" as const, text })),
    fc.constantFrom(
      { type: "segment" as const },
      { type: "anything" as const },
      { type: "folders" as const },
    ),
  );
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "\\"), maxLength: 7 });
  fc.assert(
    fc.property(fc.array(token, { maxLength: 5 }), text, (tokens, value) => {
      expect(matchesGlob(createGlob(tokens), value)).toBe(slowly(tokens, value));
    }),
    { numRuns: 3000 },
  );
});
