import { expect, test } from "vitest";
import { type Glob, matchesGlob } from "./glob.ts";
import { nameGlob, valueGlob } from "./rule-globs.ts";
import { splitWords } from "./words.ts";

const value = (written: string) => valueGlob(splitWords(written)?.[0] ?? []);
const name = (written: string) => nameGlob(splitWords(written)?.[0] ?? []);
const fitting = (glob: Glob, texts: readonly string[]) => texts.filter((text) => matchesGlob(glob, text));

test("stars in a name are any text, however many stand together", () => {
  expect(name("a**b").source).toBe(name("a*b").source);
  expect(fitting(name("a**b"), ["ab", "axb", "a/x/b", "abx"])).toEqual(["ab", "axb", "a/x/b"]);
  expect(name('"a*"').exact).toBe("a*");
});

test("two stars and a slash are folders at the start of a segment, also behind a quote, and else any text", () => {
  const texts = ["/a/x", "/a/b/x", "/a/b/c/x", "/ax", "/ab/x", "/a/bx"];
  expect(fitting(value("/a/**/x"), texts)).toEqual(["/a/x", "/a/b/x", "/a/b/c/x"]);
  expect(fitting(value('"/a/"**/x'), texts)).toEqual(["/a/x", "/a/b/x", "/a/b/c/x"]);
  expect(fitting(value('"/a"**/x'), texts)).toEqual(["/a/x", "/a/b/x", "/a/b/c/x", "/ab/x"]);
  expect(fitting(value("/a**/x"), texts)).toEqual(["/a/x", "/a/b/x", "/a/b/c/x", "/ab/x"]);
  expect(fitting(value("**/x"), ["x", "a/x", "ax"])).toEqual(["x", "a/x"]);
  expect(fitting(value("/**/**/x"), ["/x", "/a/x", "/a/b/x", "/ax"])).toEqual(["/x", "/a/x", "/a/b/x"]);
});

test("one star and a slash are one segment, and three stars what two are", () => {
  const texts = ["/a/x", "/a/b/x", "/x"];
  expect(fitting(value("/*/x"), texts)).toEqual(["/a/x"]);
  expect(fitting(value("/***/x"), texts)).toEqual(texts);
  expect(fitting(value("/a/*"), texts)).toEqual(["/a/x"]);
  expect(fitting(value("/a/**"), texts)).toEqual(["/a/x", "/a/b/x"]);
});

test("empty quotes change nothing, and alone they are the empty text", () => {
  expect(value('a""b').source).toBe(value("ab").source);
  expect(value('""*').source).toBe(value("*").source);
  expect(value('""').exact).toBe("");
});
