import { expect, test } from "vitest";
import { isStepUp, lenientReading, lenientStepsUp } from "./step-up.ts";

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
