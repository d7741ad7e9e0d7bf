import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutInput } from "../../../src/cli/chat/editor/layout.ts";
import { columnsOf, cutToColumns } from "../../../src/util/columns.ts";

const settings = { columns: 20, rows: 10, prompt: "> ", indent: "  " };

test("wide characters take two columns, marks none, and a cut says so with an ellipsis", () => {
  expect(["a", "中", "😀", "👨‍👩‍👧", "e\u0301", "ﾊ", "한"].map(columnsOf)).toEqual([1, 2, 2, 2, 1, 1, 2]);
  expect(cutToColumns("中文字", 5)).toBe("中文…");
  expect(cutToColumns("short", 5)).toBe("short");
});

test("a long line goes on below, and the cursor stands where the next character comes", () => {
  const text = "abcdefghijklmnopqrstu";
  expect(layoutInput({ text, cursor: text.length }, settings)).toEqual({
    rows: ["> abcdefghijklmnopq", "  rstu"],
    cursor: { row: 1, column: 6 },
  });
  expect(layoutInput({ text, cursor: 2 }, settings).cursor).toEqual({ row: 0, column: 4 });
});

test("a wide character is not cut in two at the edge", () => {
  const { rows } = layoutInput({ text: "abcdefghijklmnop中x", cursor: 0 }, settings);
  expect(rows).toEqual(["> abcdefghijklmnop", "  中x"]);
});

test("control and bidi characters of a paste are visible, and an emoji stays whole", () => {
  const text = "a\u001b[2J\u202eb 👨‍👩‍👧";
  expect(layoutInput({ text, cursor: 0 }, { ...settings, columns: 60 }).rows).toEqual([
    "> a\\u001b[2J\\u202eb 👨‍👩‍👧",
  ]);
});

test("only what is near the cursor is shown of a long input", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const text = lines.join("\n");
  const end = layoutInput({ text, cursor: text.length }, settings);
  expect(end.rows).toHaveLength(10);
  expect(end.rows.at(-1)).toBe("  line 999");
  expect(end.cursor).toEqual({ row: 9, column: 10 });
  expect(layoutInput({ text, cursor: 0 }, settings).rows[0]).toBe("> line 0");
});

test("no row is wider than the terminal and the cursor is always on a row", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(anyText, fc.nat(), fc.integer({ min: 20, max: 60 }), (text, place, columns) => {
      const { rows, cursor } = layoutInput(
        { text, cursor: Math.min(place, text.length) },
        { ...settings, columns, rows: 5 },
      );
      expect(rows.length).toBeLessThanOrEqual(5);
      expect(rows.length).toBeGreaterThan(cursor.row);
      expect(cursor.column).toBeLessThan(columns);
      for (const row of rows) expect(columnsOf(row)).toBeLessThan(columns);
    }),
    { numRuns: 100 },
  );
});
