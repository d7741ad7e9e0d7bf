import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { keys } from "../../src/audit/key-shapes.ts";
import { pieces } from "../../src/config/import/secret-shapes.ts";
import { growsOn, keepsWaysBack, matchesOtherwise } from "./check-pattern.ts";
import { type Pattern, readPatterns } from "./read-patterns.ts";
import { boundedGrowth, builtPatterns, shortTexts } from "./short-texts.ts";

const { literals, built } = readPatterns();
const patterns: readonly Pattern[] = [
  ...literals,
  { file: "src/audit/key-shapes.ts", source: keys.source, flags: keys.flags },
  { file: "src/config/import/secret-shapes.ts", source: pieces.source, flags: pieces.flags },
];

const written = ({ file, source, flags }: Pattern) => `${file}: /${source}/${flags}`;
const isIn = (file: string, where: string) => (where.endsWith("/") ? file.startsWith(where) : file === where);

test("every pattern of the source is found, also those that are built", () => {
  expect(literals.length).toBeGreaterThan(500);
  expect([...new Set(built.map(({ file }) => file))]).toEqual(builtPatterns.map(([file]) => file));
});

test("what counts the steps of a pattern matches as the engine does", () => {
  expect(
    patterns.filter(({ source, flags }) => matchesOtherwise(source, flags) !== null).map(written),
  ).toEqual([]);
});

test("no text makes the time of a pattern grow faster than itself, but where a bound is near", () => {
  const found = patterns.filter(({ source, flags }) => growsOn(source, flags) !== null);
  const reviewed = boundedGrowth.map(([file, source]) => `${file}: /${source}/`);
  expect(found.map(({ file, source }) => `${file}: /${source}/`)).toEqual(reviewed);
});

test("a pattern that may need memory for each repetition reads texts of a reviewed length alone", () => {
  const found = patterns.filter(({ source, flags }) => keepsWaysBack(source, flags));
  const places = shortTexts.map(([where]) => where);
  // Write `x*`, `xx*` or `x{20}x*`, or say in short-texts.ts what bounds the text.
  expect(found.filter(({ file }) => !places.some((where) => isIn(file, where))).map(written)).toEqual([]);
  expect(places.filter((where) => !found.some(({ file }) => isIn(file, where)))).toEqual([]);
});

test.each([
  ["a pattern that begins anywhere and must end somewhere", "\\s+$", ""],
  ["the same behind an optional start", "(?:^|a)?[^\\n]*\\n", ""],
  ["two loops that take the same", "^a*a*$", ""],
  ["a loop in a loop", "^(?:a+)+$", ""],
  ["choices that overlap", "^(?:a|ab|b)*$", ""],
  ["words between which anything may stand", "some words .* more words", ""],
  ["a sticky pattern that is tried everywhere", "<[^>]*>", "y"],
  ["a look ahead", "(?=[ab]*c)", "g"],
])("time that grows faster than the text is noticed: %s", (_, source, flags) => {
  expect(growsOn(source, flags)).not.toBeNull();
});

test.each([
  ["^\\s+$", ""],
  ["[ \\t]+\\n?", "g"],
  ["(?<!a)a*b", ""],
  ["\\b[a-z]{1,20}:", "g"],
  ['^"(?:[^"\\\\]|\\\\.)*"', ""],
  ["(\\p{L})\\p{M}*", "gu"],
])("a linear pattern is left alone: /%s/%s", (source, flags) => {
  expect(growsOn(source, flags)).toBeNull();
});

const many = 20_000_000;
const free = ["a*", "aa*", "a{20}a*", "(a*)", "^[a-z]*$", "(?<x>b[a-z]*|[a-z][a-z]*)", "(?:a{0,100})b?"];

test("what is said to need no memory for each repetition needs none, in an engine that optimizes nothing", () => {
  expect(free.filter((source) => keepsWaysBack(source, ""))).toEqual([]);
  const code = `const text = "a".repeat(${many}); for (const source of ${JSON.stringify(free)}) new RegExp(source).test(text);`;
  const { status, stderr } = spawnSync(process.execPath, ["--no-regexp-optimization", "-e", code]);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: "" });
});

test.each(["a+", "a{4,}", "(?:a|b)*", "(?:ab)*", "a{0,9000000}", "[^]*?b"])(
  "a loop that may need memory for each repetition is noticed: /%s/",
  (source) => {
    expect(keepsWaysBack(source, "")).toBe(true);
  },
);
