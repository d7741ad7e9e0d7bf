import fc from "fast-check";
import { expect, test } from "vitest";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ApprovalQuestion } from "../types/approval.ts";
import { renderArguments, renderQuestion } from "./render.ts";

/** Ranges of characters, first and last, that must never reach a screen as they are. */
const classes: readonly (readonly [string, number, number])[] = [
  ["C0", 0x00, 0x1f],
  ["DEL and C1", 0x7f, 0x9f],
  ["the soft hyphen", 0xad, 0xad],
  ["the no-break space", 0xa0, 0xa0],
  ["the grapheme joiner", 0x34f, 0x34f],
  ["marks of the Arabic and Hebrew direction", 0x61c, 0x61c],
  ["fillers of Hangul", 0x115f, 0x1160],
  ["wide and narrow spaces", 0x2000, 0x200a],
  ["zero-width characters and direction marks", 0x200b, 0x200f],
  ["line and paragraph separators", 0x2028, 0x2029],
  ["embeddings and overrides", 0x202a, 0x202e],
  ["invisible operators and isolates", 0x2060, 0x206f],
  ["the blank of Braille", 0x2800, 0x2800],
  ["the ideographic space and the filler", 0x3164, 0x3164],
  ["surrogates alone", 0xd800, 0xdfff],
  ["private characters", 0xe000, 0xf8ff],
  ["variation selectors", 0xfe00, 0xfe0f],
  ["the byte order mark", 0xfeff, 0xfeff],
  ["annotations", 0xfff9, 0xfffb],
  ["formats of music", 0x1d173, 0x1d17a],
  ["tags", 0xe0000, 0xe007f],
  ["more variation selectors", 0xe0100, 0xe01ef],
  ["the last plane", 0x10fff0, 0x10ffff],
];

function questionWith(text: string): ApprovalQuestion {
  const tool = makeTool({ title: text, description: text });
  const call = makeCall(tool, { [text]: [text], other: text });
  return { id: "q", calls: [call], reason: text, warnings: [text], scopes: ["once"] };
}

test.each(classes)("%s stand as escapes, in arguments and in the words around them", (_name, first, last) => {
  const character = fc
    .oneof(fc.constantFrom(first, last), fc.integer({ min: first, max: last }))
    .map((code) =>
      code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code),
    );
  fc.assert(
    fc.property(character, (found) => {
      const question = questionWith(`a${found}b`);
      const lines = renderQuestion(question);
      for (const line of lines) expect(line).not.toContain(found);
      const [call] = question.calls;
      expect(JSON.parse(renderArguments(call))).toEqual(call.arguments);
    }),
    { numRuns: 8 },
  );
});

test("no text whatever brings a line break, a mark without a letter or a flood of marks through", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3 }),
    fc.constantFrom("\u0301", "\u20dd", "\u0e49", "e\u0301", '"', "\u{1d165}"),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (parts) => {
      for (const line of renderQuestion(questionWith(parts.join("")))) {
        expect(line).not.toMatch(/[\n\r]|(?:^|["\s])\p{M}|\p{M}{4}/u);
      }
    }),
    { numRuns: 150 },
  );
});

test("letters of all scripts, with the marks that they are written with, and emoji stay readable", () => {
  for (const text of ["é", "e\u0301", "ệ", "สวัสดี", "हिन्दी", "שָׁלוֹם", "日本語", "😀", "€ ½"]) {
    expect(renderArguments(makeCall(makeTool(), { text }))).toContain(`"${text}"`);
  }
});

test("a text that is written like a replaced secret is told from one", () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "⟨secret KEY, 14 chars⟩");
  const values = {
    real: "hunter2hunter2",
    fake: "⟨secret KEY, 14 chars⟩",
    both: "\ue000⟨secret hunter2hunter2",
  };
  const text = renderArguments(makeCall(makeTool(), values), { redact });
  expect(text).toContain('"real": "⟨secret KEY, 14 chars⟩"');
  expect(text).toContain('"fake": "\\u27e8secret KEY, 14 chars⟩"');
  expect(text).toContain('"both": "\\ue000\\u27e8secret ⟨secret KEY, 14 chars⟩"');
});

test("a folded text is never cut inside a character, and its size is exact", () => {
  const text = `${"x".repeat(399)}😀${"y".repeat(400)}😀${"z".repeat(99)}`;
  const shown = renderArguments(makeCall(makeTool(), { text }));
  expect(shown).not.toContain("\\ud83d");
  const [, left = ""] = /… (\d+) of 902 characters \(906 bytes in all\)/.exec(shown) ?? [];
  const [head = "", tail = ""] = [...shown.matchAll(/"((?:x|y|z|😀){20,})"/gu)].map(([, part]) => part);
  expect(head.length + Number(left) + tail.length).toBe(text.length);
});
