import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible.ts";

/** Every code unit and pair that must never reach a terminal as it is. */
const dangerous = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0xad, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0],
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe01ef),
].map((code) => String.fromCodePoint(code));

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

test("every control, bidi, zero-width and tag character is written as an escape", () => {
  const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  for (const character of dangerous) {
    expect(visibleLine(`a${character}b`)).toBe(`a${short[character] ?? escaped(character)}b`);
  }
});

test("a Mongolian variation selector is escaped behind any character", () => {
  expect(visibleLine("\u1820\u180b \u17b5\u180f")).toBe("\u1820\\u180b \\u17b5\\u180f");
});

test("letters, marks, emoji and private characters stay as they are", () => {
  const harmless = "Ünïcode e\u0301 日付 👩‍👩 ✌\ufe0f \ue000 \u{1f600}".replaceAll("\u200d", "");
  expect(visibleLine(harmless)).toBe(harmless);
});

test("half of a surrogate pair is escaped, a whole pair is not", () => {
  expect(visibleLine("\ud83d")).toBe("\\ud83d");
  expect(visibleLine("\ude00x")).toBe("\\ude00x");
  expect(visibleLine("\ud83d\ud83d\ude00")).toBe("\\ud83d\ud83d\ude00");
});

test("text of several lines keeps its line breaks and tabs, but no carriage return", () => {
  expect(visibleText("a\n\tb\r\u001b[2K")).toBe("a\n\tb\\r\\u001b[2K");
});

test("what was made visible needs no second pass and holds no control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const once = visibleLine(text);
      expect(visibleLine(once)).toBe(once);
      expect(dangerous.some((character) => once.includes(character))).toBe(false);
    }),
    { numRuns: 200 },
  );
});
