import fc from "fast-check";
import { expect, test } from "vitest";
import { followRun } from "../../src/cli/show/follow-run.ts";
import { markedRows } from "../../src/cli/terminal/marked-rows.ts";
import { openTerminal } from "../../src/cli/terminal/terminal.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { columnsOf } from "../../src/util/columns.ts";

test("rows that go on are marked, end behind a space where one is near, and keep colours", () => {
  expect(markedRows("short", 20)).toBe("short");
  expect(markedRows("→ fs/put aaaaaaaaaaaaaaaaaaaa✓ fs/get 3 ms", 24)).toBe(
    "→ fs/put aaaaaaaaaaaaaaa\n↪ aaaaa✓ fs/get 3 ms",
  );
  expect(markedRows("\u001b[2m  0123456789 0123 456789\u001b[22m", 20)).toBe(
    "\u001b[2m  0123456789 0123 \n↪ 456789\u001b[22m",
  );
});

test("no character is lost, no row is wider than the terminal, and every row that goes on is marked", () => {
  const text = fc
    .array(fc.constantFrom("a", "bcd", " ", "漢", "é", "✓", "😀", "e\u0301"), { maxLength: 80 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 50 }), (line, columns) => {
      const [first = "", ...more] = markedRows(line, columns).split("\n");
      expect(more.every((row) => row.startsWith("↪ "))).toBe(true);
      expect([first, ...more.map((row) => row.slice(2))].join("")).toBe(line);
      expect([first, ...more].every((row) => columnsOf(row) <= columns)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("what a run says on a terminal writes no line of its own", async () => {
  let written = "";
  const write = (text: string) => {
    written += text;
    return true;
  };
  const terminal = openTerminal({ write, isTTY: true, columns: 40 } as never);
  const said = `${"a".repeat(36)} ✓ fs/get 3 ms`;
  const event: RunEvent = { type: "warning", code: "policy", text: said } as never;
  async function* events() {
    yield event;
  }
  await followRun(events(), terminal, null);
  expect(written).toContain("\n↪ ✓ fs/get 3 ms\n");
});
