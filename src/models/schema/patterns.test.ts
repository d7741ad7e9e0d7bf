import { expect, test } from "vitest";
import { unicodePattern, withUnicodePatterns } from "./patterns.ts";

test.each([
  ["^[a-z]+$", "^[a-z]+$"],
  ["^\\d{4}\\-\\d{2}$", "^\\d{4}-\\d{2}$"],
  ["^[\\w-\\.]+\\@[\\w.-]+$", "^[\\w\\-\\.]+@[\\w.-]+$"],
  ['^\\_\\"x\\/[\\_\\-a]$', '^_"x\\/[_\\-a]$'],
  ["^#{[a-z]}$", "^#\\{[a-z]\\}$"],
  ["a]{2,}", "a\\]{2,}"],
])("%s is sent as %s", (pattern, sent) => {
  expect(unicodePattern(pattern)).toBe(sent);
});

test("a rewritten pattern matches the same texts", () => {
  const texts = ["a-b.c@d.e", "2024-01", '_"x/-', "#{a}", "a]]", "a\\]", "", "\\w"];
  for (const pattern of [
    "^[\\w-\\.]+\\@[\\w.-]+$",
    "^\\d{4}\\-\\d{2}$",
    "^#{[a-z]}$",
    "a]{2,}",
    "[\\s-\\w\\]]\\'?",
  ]) {
    const sent = new RegExp(unicodePattern(pattern) ?? "never", "u");
    for (const text of texts) expect([text, sent.test(text)]).toEqual([text, new RegExp(pattern).test(text)]);
  }
});

test("what is no pattern with the flag in any form is left out", () => {
  for (const pattern of ["^\\w+\\Z", "(?i)abc", "[", "(?<n>a)\\k<m>", 5, null]) {
    expect(unicodePattern(pattern)).toBeNull();
  }
});

test("of schemas by patterns all are kept, or none", () => {
  expect(withUnicodePatterns({ "^\\_": true, b: {} })).toEqual({ "^_": true, b: {} });
  expect(withUnicodePatterns({ "\\Z": true, b: {} })).toBeNull();
  expect(withUnicodePatterns({ "\\_": true, _: {} })).toBeNull();
});
