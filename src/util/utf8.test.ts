import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Length } from "./utf8.ts";

test("the length in bytes is that of the encoded text", () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units);
      expect(utf8Length(text)).toBe(encoder.encode(text).length);
    }),
  );
});
