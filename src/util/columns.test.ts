import { expect, test } from "vitest";
import { graphemeColumns } from "./columns.ts";

test.each([
  ["a", 1],
  ["é", 1],
  ["e\u0301", 1],
  ["中", 2],
  ["👍🏽", 2],
  ["❤️", 2],
  ["\u0301", 0],
  ["\u200d\u0301", 0],
  ["\u0301a", 1],
])("%j takes %i columns", (grapheme, columns) => {
  expect(graphemeColumns(grapheme)).toBe(columns);
});

test("a flood of marks takes no column, however long it is", () => {
  expect(graphemeColumns("\u0301".repeat(16_000_000))).toBe(0);
  expect(graphemeColumns(`e${"\u0301".repeat(16_000_000)}`)).toBe(1);
});
