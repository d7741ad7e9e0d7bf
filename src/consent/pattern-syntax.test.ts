import { expect, test } from "vitest";
import { createPattern, matchesPattern } from "./pattern.ts";

/** Characters at both sides of every range that a class has. */
const characters = [
  ...Array.from({ length: 0x100 }, (_, code) => code),
  ...[0x167f, 0x1680, 0x1681, 0x1fff, 0x2000, 0x200a, 0x200b, 0x2027, 0x2028, 0x2029, 0x202a, 0x202e, 0x202f],
  ...[
    0x2030, 0x205e, 0x205f, 0x2060, 0x2fff, 0x3000, 0x3001, 0xfefe, 0xfeff, 0xff00, 0xffff, 0x10000, 0x10ffff,
  ],
].map((code) => String.fromCodePoint(code));

test.each([
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  ".",
  "[\\d]",
  "[^\\d]",
  "[\\D]",
  "[^\\D]",
  "[\\W]",
  "[\\S]",
  "[^\\S]",
  "[\\w-]",
  "[-a]",
  "[a-]",
  "[a-a]",
  "[a-cx-z]",
  "[^a-c]",
  "[]",
  "[^]",
  "[\\b]",
  "[\\-\\]^]",
  "[a\\-z]",
  "[.*+?(){}|$/]",
  "\\t|\\n|\\v|\\f|\\r",
  "[\\t-\\r]",
  "\\x41|\\xfF",
  "\\u0041|\\uFEFF",
  "\\u{41}|\\u{10ffff}|\\u{0}",
  "[\\x41-\\u{5A}]",
  "\\^|\\$|\\\\|\\.|\\*|\\+|\\?|\\(|\\)|\\[|\\]|\\{|\\}|\\||\\/",
  "-",
  "\u{10000}",
])("%s stands for the characters that it has in ECMAScript", (source) => {
  const whole = createPattern(source, true);
  const anywhere = createPattern(source, false);
  const other = new RegExp(`^(?:${source})$`, "u");
  const dotted = new RegExp(source, "us");
  for (const character of characters) {
    expect([character, matchesPattern(whole, character)]).toEqual([character, other.test(character)]);
    expect([character, matchesPattern(anywhere, character)]).toEqual([character, dotted.test(character)]);
  }
});

test("a boundary is where a letter, a digit or _ meets what is none of these", () => {
  for (const character of characters) {
    for (const source of ["[^]\\b-", "[^]\\Ba", "-\\b[^]", "a\\B[^]"]) {
      const text = source.startsWith("[")
        ? `${character}${source.at(-1)}`
        : `${source.charAt(0)}${character}`;
      const expected = new RegExp(`^(?:${source})$`, "u").test(text);
      expect([source, text, matchesPattern(createPattern(source, true), text)]).toEqual([
        source,
        text,
        expected,
      ]);
    }
  }
});

const texts = [
  "",
  "a",
  "b",
  "aa",
  "ab",
  "ba",
  "aaa",
  "abab",
  "aab",
  "a b",
  " a",
  "b1",
  "_a-",
  "aaaa",
  "ababab",
  "c",
];

test.each([
  "",
  "|",
  "a|",
  "|b",
  "a|b|c",
  "(a|b)+",
  "(?:a|b)*c?",
  "(?<name>a)b",
  "(?<$_1>a)",
  "(?<N>a)|b",
  "a?",
  "a??b",
  "a*?",
  "a+?b",
  "a{0}",
  "a{1}",
  "a{2}",
  "a{2}?",
  "a{2,}",
  "a{1,2}",
  "a{0,1}b",
  "a{2,3}?",
  "(ab){2}",
  "(?:a|ab){2,3}",
  "(a?){3}",
  "(a*)*b",
  "^a",
  "a$",
  "^$",
  "^a*$",
  "a^b",
  "\\ba",
  "a\\b",
  "\\Ba",
  "a\\B",
  "\\b",
  "\\B",
  "a\\bb",
  "(?:^|b)a",
  "a(?:$|b)",
])("%s fits the texts that it fits in ECMAScript", (source) => {
  for (const text of texts) {
    const expected = [
      text,
      new RegExp(`^(?:${source})$`, "u").test(text),
      new RegExp(source, "us").test(text),
    ];
    const found = [true, false].map((whole) => matchesPattern(createPattern(source, whole), text));
    expect([text, ...found]).toEqual(expected);
  }
});

test.each([
  [")", "closes no ("],
  ["(", "is closed by )"],
  ["(?", "ahead or behind"],
  ["(?<a", "ahead or behind"],
  ["(?<>a)", "ahead or behind"],
  ["(?<1>a)", "ahead or behind"],
  ["(?<a-b>c)", "ahead or behind"],
  ["(?x<a>c)", "ahead or behind"],
  ["(?!a)", "ahead or behind"],
  ["(?i:a)", "ahead or behind"],
  ["a(?i)b", "ahead or behind"],
  ["^*", "cannot be repeated"],
  ["\\b+", "cannot be repeated"],
  ["\\B{2}", "cannot be repeated"],
  ["a**", "follows what it repeats"],
  ["a|+", "follows what it repeats"],
  ["a{1}{2}", "stands for itself is written \\{"],
  ["{", "stands for itself is written \\{"],
  ["}", "stands for itself is written \\}"],
  ["]", "stands for itself is written \\]"],
  ["a{}", "begins a count"],
  ["a{,2}", "begins a count"],
  ["a{x1}", "begins a count"],
  ["a{1x}", "begins a count"],
  ["a{1,2,3}", "begins a count"],
  ["a{12345}", "begins a count"],
  ["a{1", "begins a count"],
  ["a{2,1}", "begins a count"],
  ["a{1001,}", "at most 1000"],
  ["a{1,1001}", "at most 1000"],
  ["\\", "is not known in a pattern"],
  ["\\a", "is not known in a pattern"],
  ["\\-", "is not known in a pattern"],
  ["\\1", "is not known in a pattern"],
  ["\\toString", "accepted"],
  ["\\xa", "followed by a character's code"],
  ["\\x-41", "followed by a character's code"],
  ["\\ua-0041", "followed by a character's code"],
  ["\\u041", "followed by a character's code"],
  ["\\u{}", "followed by a character's code"],
  ["\\u{110000}", "followed by a character's code"],
  ["[", "is closed by ]"],
  ["[a", "is closed by ]"],
  ["[b-a]", "to a later one"],
  ["[a-\\d]", "to a later one"],
  ["[\\d-a]", "to a later one"],
  ["a{1000}", "accepted"],
  ["a{0,1000}", "accepted"],
  ["a".repeat(1000), "accepted"],
  [`(?i)${"a".repeat(997)}`, "at most 1000 characters"],
])("of the pattern %s it is said: %s", (source, expected) => {
  let said = "accepted";
  try {
    createPattern(source, true);
  } catch (problem) {
    said = String(problem);
  }
  expect(said).toContain(expected);
});

test("ignoring case, a letter fits where its other case does, and one that has several letters there does not", () => {
  const fits = (source: string, text: string) => matchesPattern(createPattern(`(?i)${source}`, true), text);
  expect(fits("[a-f]+É", "aBcDé")).toBe(true);
  expect(fits("[^a]", "A")).toBe(false);
  expect(fits("[^a]", "B")).toBe(true);
  expect(fits("1", "1")).toBe(true);
  expect(fits("S", "ß")).toBe(false);
  expect(fits("\u{10400}", "\u{10428}")).toBe(true);
  expect(matchesPattern(createPattern("a(?:b)", true), "AB")).toBe(false);
});

test("up to 20 million steps of work are done, and a pattern has up to 2,500", () => {
  const pattern = createPattern("a{1000}b{999}", true);
  expect(matchesPattern(pattern, "x".repeat(10_000))).toBe(false);
  expect(matchesPattern(pattern, "x".repeat(10_001))).toBeNull();
  expect(() => createPattern("a{1000}b{1000}c{499}", true)).not.toThrow();
  expect(() => createPattern("a{1000}b{1000}c{1000}", true)).toThrow("too large");
  expect(() => createPattern("(?:(?:){1000}){6}", true)).toThrow("too large");
  expect(() => createPattern("(?:(?:){900}){5}", true)).not.toThrow();
});
