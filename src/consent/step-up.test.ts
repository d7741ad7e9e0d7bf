import { expect, test } from "vitest";
import { holdsStepUp, isStepUp, lenientReading, lenientStepsUp } from "./step-up.ts";

test("two dots and more are a step up, with spaces around and between them too", () => {
  for (const step of ["..", "...", " ..", ".. ", ". .", ".\t.", "....", ". . ."])
    expect(isStepUp(step)).toBe(true);
  for (const step of ["", ".", " ", ". ", "a..", "..a", "a", ".a.", "..\u0000"])
    expect(isStepUp(step)).toBe(false);
});

test("a text is read decoded twice, without what nobody sees, with its letters normalised", () => {
  expect(lenientReading("plain %")).toBe("plain %");
  expect(lenientReading("%2e%2E")).toBe("..");
  expect(lenientReading("%252e")).toBe(".");
  expect(lenientReading("%25252e")).toBe("%2e");
  expect(lenientReading("%4g%zz%4")).toBe("%4g%zz%4");
  expect(lenientReading("a\u200bb\u00ad\ufe0fc")).toBe("abc");
  expect(lenientReading("．／ａ")).toBe("./a");
  expect(lenientReading("\u0080")).toBe("\u0080");
});

test("steps up are counted between separators of paths, shells and URLs", () => {
  expect(lenientStepsUp("a/../b/..")).toBe(2);
  expect(lenientStepsUp("a\\..\\b")).toBe(1);
  for (const path of ["{..,a}", "a,..", "a;..", "..}"]) expect(lenientStepsUp(path)).toBe(1);
  expect(lenientStepsUp("a/.../b")).toBe(1);
  expect(lenientStepsUp("a/..b/c..")).toBe(0);
});

test("a step up that is a word of its own, or ends where a query begins, is one in a path too", () => {
  for (const path of ["cat ../b", "a/b ..", "..\tb", "a/..?b", "a/..#b"])
    expect(lenientStepsUp(path)).toBe(1);
});

test("what is a step up in a path is one in any text, but for dots among words that stand for what is left out", () => {
  const texts = [
    "a/../b",
    "/a/. ./b",
    "a/.../b",
    "a/.. /b",
    "cat ../b",
    "cat a/. ./b",
    "rm -r ./... ..",
    "a%2f%2e%2e%2fb",
  ];
  for (const text of texts) expect(holdsStepUp(text)).toBe(true);
  for (const text of ["go test ./...", "first, ..., last", "a/b..c", "cat a/b", "wait..."])
    expect(holdsStepUp(text)).toBe(false);
});
