import type { Output } from "../../../src/cli/terminal/paint.ts";
import { graphemeColumns, graphemes } from "../../../src/util/columns.ts";

/** A terminal in memory: it understands what the chat writes, and nothing else. */
export interface VirtualTerminal {
  readonly output: Output & { readonly rows: number; columns: number };
  /** Rows from the first one that was written, without the empty ones at the end. */
  screen(): string[];
  cursor(): { readonly row: number; readonly column: number };
  /** Everything that was written. */
  written(): string;
}

const sequence = /\u001b\[(\d*)([ACJ])|\u001b\[[0-9;]*m|\r|\n|[^\u001b\r\n]+/g;

export function virtualTerminal(columns = 80, rows = 24): VirtualTerminal {
  let lines: string[] = [""];
  let row = 0;
  let column = 0;
  let written = "";

  function put(text: string): void {
    for (const grapheme of graphemes(text)) {
      if (column + graphemeColumns(grapheme) > output.columns) {
        row += 1;
        column = 0;
      }
      const line = lines[row] ?? "";
      const before = line.padEnd(column).slice(0, column);
      lines[row] = before + grapheme + line.slice(column + 1);
      column += graphemeColumns(grapheme);
    }
  }

  function write(text: string): boolean {
    written += text;
    for (const [whole, amount = "", command] of text.matchAll(sequence)) {
      const count = Number(amount || "1");
      if (whole === "\r") column = 0;
      else if (whole === "\n") {
        row += 1;
        column = 0;
        lines[row] ??= "";
      } else if (command === "A") row = Math.max(0, row - count);
      else if (command === "C") column += count;
      else if (command === "J") {
        lines[row] = (lines[row] ?? "").slice(0, column);
        lines = lines.slice(0, row + 1);
      } else if (!whole.startsWith("\u001b")) put(whole);
    }
    return true;
  }

  const output = { isTTY: true, columns, rows, write } as VirtualTerminal["output"];
  return {
    output,
    screen: () => lines.join("\n").replace(/\n+$/, "").split("\n"),
    cursor: () => ({ row, column: column }),
    written: () => written,
  };
}
