import fc from "fast-check";
import { expect, test } from "vitest";
import { serverLines } from "../../src/cli/settings/server-lines.ts";
import { createWordWrap, wrapLine } from "../../src/cli/terminal/wrap-words.ts";
import type { ConfiguredServer } from "../../src/types/settings.ts";
import { columnsOf } from "../../src/util/columns.ts";

function wrapped(texts: readonly string[], columns: number): string {
  let out = "";
  const write = createWordWrap(
    (text) => {
      out += text;
    },
    () => columns,
  );
  for (const text of texts) write(text);
  return out;
}

test("a line is broken between two words, and what stands on lines of its own stays so", () => {
  expect(wrapped(["one two three\n\n  four\n"], 8)).toBe("one two\nthree\n\n  four\n");
});

test("the last word waits for what follows it: it may be half a word", () => {
  expect(wrapped(["one two thr"], 11)).toBe("one two");
  expect(wrapped(["one two thr", "ee four\n"], 11)).toBe("one two\nthree four\n");
});

test("a word that is longer than a line is not held back, and colours take no columns", () => {
  expect(wrapped(["x".repeat(30)], 8)).toBe("x".repeat(30));
  expect(wrapped(["\u001b[33mone two\u001b[39m\n"], 7)).toBe("\u001b[33mone two\u001b[39m\n");
});

test("Chinese text, which has no spaces, is broken at the edge as it comes", () => {
  expect(wrapped(["中文中文", "中"], 6)).toBe("中文中\n文中");
});

test("a long line goes on below at its indent, a short one stays as it is", () => {
  expect(wrapLine("  ! It may reach outside", 14)).toBe("  ! It may\n  reach\n  outside");
  expect(wrapLine("\u001b[2m  one two\u001b[22m", 6)).toBe("\u001b[2m  one\n  two\u001b[22m");
  expect(wrapLine("\u001b[33mone  two\u001b[39m", 8)).toBe("\u001b[33mone  two\u001b[39m");
});

const word = fc.string({
  unit: fc.constantFrom("a", "b", "é", "中", "😀", "-"),
  minLength: 1,
  maxLength: 12,
});
const text = fc
  .array(fc.tuple(word, fc.constantFrom(" ", "  ", "\n", "\n\n")))
  .map((parts) => parts.flat().join(""));

test("no line is wider than the terminal, no word is lost, and it does not matter how the text was cut", () => {
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 24, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (given, columns, size) => {
        const whole = wrapped([`${given}\n`], columns);
        const cut = `${given}\n`.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
        expect(wrapped(cut, columns)).toBe(whole);
        for (const line of whole.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        expect(whole.replace(/\s/g, "")).toBe(given.replace(/\s/g, ""));
      },
    ),
    { numRuns: 60 },
  );
});

function agreementRows(argument: string): readonly string[] {
  const server: ConfiguredServer = {
    id: "a",
    config: { type: "stdio", command: "x" },
    written: { type: "stdio", command: "run", args: [argument] },
    variables: [],
    origin: { type: "project", file: "/p/.mcp.json", line: 3 },
    disabled: false,
    pending: true,
    configHash: "",
  };
  return serverLines(server, (_colour, text) => text, 40).flatMap((line) => line.split("\n"));
}

test("the rows of the agreement question that go on are marked, so that nothing looks like another row", () => {
  expect(agreementRows("one two three    runs in      /home/me four").slice(0, 4)).toEqual([
    'Server "a"',
    "  written in  /p/.mcp.json:3",
    '  command     run "one two three    ',
    '↪ runs in      /home/me four"',
  ]);
});

test("a word that is longer than the terminal is wide cannot begin a row of the agreement question either", () => {
  const space = "\u00a0";
  const forged = `${space}${space}runs${space}in${space.repeat(5)}/home/me`;
  const rows = agreementRows(`${"x".repeat(21)}${forged}`);
  expect(rows[2]).toMatch(/^ {2}command {5}run ["']?x+$/);
  for (const row of rows.slice(3)) expect(row).toMatch(/^(?:↪|! )/);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(40);
});
