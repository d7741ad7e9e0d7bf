import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutEnd } from "./without-end.ts";

test("what stands at the end goes, and nothing else", () => {
  expect(withoutEnd("/a/b//", "/")).toBe("/a/b");
  expect(withoutEnd("//", "/")).toBe("");
  expect(withoutEnd("a.", "")).toBe("a.");
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "/", ".") }), (text) => {
      expect(withoutEnd(text, "./")).toBe(text.replace(/[./]+$/, ""));
    }),
  );
});
