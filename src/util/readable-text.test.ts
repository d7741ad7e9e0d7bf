import fc from "fast-check";
import { expect, test } from "vitest";
import { readableText } from "./readable-text.ts";
import { visibleText } from "./visible.ts";

const meant = [
  "👩\u200d💻",
  "👩🏽\u200d🔬",
  "❤\ufe0f\u200d🔥",
  "👨\u200d👩\u200d👧\u200d👦",
  "🏳\ufe0f\u200d🌈",
  "می\u200cخواهم",
  "क्\u200dष",
  "ශ්\u200dරී",
];

test.each(meant)("what needs a joiner to be written keeps it: %s", (text) => {
  expect(readableText(`a ${text} b`)).toBe(`a ${text} b`);
});

test.each([
  "a\u200db",
  "pass\u200cword",
  "👩\u200d",
  "\u200d💻",
  "👩\u200d\u200d💻",
  "👩\u200c💻",
  "👩 \u200d💻",
  "می\u200c خواهم",
  "می\u200bخواهم",
  "👩\u2060💻",
])("any other one is an escape: %j", (text) => {
  expect(readableText(text)).toBe(visibleText(text));
});

const anything = fc.array(
  fc.constantFrom(..."\u200c\u200d\ufe0f\u200f\u202e\u001b\n ax", "👩", "💻", "🏽", "ی", "\ud83d", "\udc69"),
  { maxLength: 12 },
);

test("nothing but a joiner is ever left, and what stands before says as much as the whole", () => {
  fc.assert(
    fc.property(anything, anything, (first, second) => {
      const [before, text] = [first.join(""), second.join("")];
      const shown = readableText(text, before);
      expect(visibleText(shown.replace(/[\u200c\u200d]/g, ""))).toBe(shown.replace(/[\u200c\u200d]/g, ""));
      expect(readableText(text, before.slice(-8))).toBe(shown);
    }),
    { numRuns: 200 },
  );
});
