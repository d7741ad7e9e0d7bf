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
