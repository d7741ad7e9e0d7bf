import { expect, test } from "vitest";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import { renderQuestion } from "./render.ts";
import { scriptWarnings } from "./script-warnings.ts";

const warnings = (values: JsonObject) =>
  renderQuestion({
    ...{ id: "q", reason: "No rule covers it.", warnings: [], scopes: ["once"] },
    calls: [makeCall(makeTool(), values)],
  }).filter((line) => line.startsWith("! "));

test("letters from right to left are told with the arguments that hold them", () => {
  for (const text of ["א/../x", "src/ملف", "x\u{1e900}"]) {
    expect(warnings({ path: text })).toEqual([
      "! Letters from right to left in path: a terminal may show them, and what is beside them, in another order.",
    ]);
  }
  expect(warnings({ edits: [{ to: "א" }], a: "א", b: "א", c: "א" })[0]).toContain(
    "in edits.to, a, b and 1 more:",
  );
  expect(warnings({ א: 1 })[0]).toContain("from right to left");
});

test("a word of two alphabets that look alike is told with its letters as escapes", () => {
  expect(warnings({ path: "src/p\u0430y.ts" })).toEqual([
    '! Letters of two alphabets in one word in path: "p\\u0430y".',
  ]);
  expect(scriptWarnings({ "p\u0430th": "x" })[0]).toContain('"p\\u0430th"');
  expect(warnings({ text: `${"a".repeat(60)}\u0430` })[0]).toMatch(/"a{40}…"\.$/);
});

test("texts of one alphabet, words of several beside each other, and what is no alphabet are not told", () => {
  for (const text of ["plain", "naïve café", "привет", "файл.txt", "hello мир", "Δ x", "日本語text", "5µm"]) {
    expect(warnings({ path: text })).toEqual([]);
  }
});

test("a secret is in no such warning", () => {
  const redact = (text: string) => text.replaceAll("p\u0430ss", "⟨secret⟩");
  expect(scriptWarnings({ key: "p\u0430ss" }, redact)).toEqual([]);
});
