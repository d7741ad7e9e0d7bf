import { columnsOf, graphemeColumns, graphemes } from "../../../util/columns.ts";
import { outsidePair } from "../../../util/one-line.ts";
import { visibleLine } from "../../../util/visible.ts";
import type { EditedText } from "./text-edit.ts";

export interface LayoutSettings {
  /** Columns of the terminal. */
  readonly columns: number;
  /** Most rows to show: what lies farther from the cursor is left out. */
  readonly rows: number;
  /** In front of the first row. */
  readonly prompt: string;
  /** In front of every other row; as wide as the prompt. */
  readonly indent: string;
}

/** Rows of a terminal, and where the cursor stands in them. */
export interface LaidOut {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** An emoji of several characters is joined by one that is invisible elsewhere. */
const joined =
  /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}])*$/u;

function shown(grapheme: string): string {
  if (grapheme === "\t") return "  ";
  return joined.test(grapheme) ? grapheme : visibleLine(grapheme);
}

interface Row {
  text: string;
  columns: number;
}

/** Lays one line out; `at` is the place of the cursor in it, or -1. */
function layLine(line: string, at: number, width: number): { rows: Row[]; cursor: LaidOut["cursor"] } {
  let row: Row = { text: "", columns: 0 };
  const rows = [row];
  let cursor = { row: 0, column: 0 };
  let passed = 0;
  for (const grapheme of graphemes(line)) {
    const text = shown(grapheme);
    const columns = text === grapheme ? graphemeColumns(grapheme) : columnsOf(text);
    if (row.columns + columns > width && row.columns > 0) {
      row = { text: "", columns: 0 };
      rows.push(row);
    }
    if (passed === at) cursor = { row: rows.length - 1, column: row.columns };
    row.text += text;
    row.columns += columns;
    passed += grapheme.length;
  }
  if (at >= passed) cursor = { row: rows.length - 1, column: row.columns };
  return { rows, cursor };
}

/** The part of a line near the cursor, or its beginning: nothing else can come onto the screen. */
function nearPart(line: string, at: number, units: number): { part: string; at: number } {
  const from = outsidePair(line, Math.max(0, at - units));
  const part = line.slice(from, outsidePair(line, Math.min(line.length, Math.max(at, 0) + units)));
  return { part, at: at < 0 ? -1 : at - from };
}

/** The input as rows, escaped; costs what is on the screen, not what was pasted. */
export function layoutInput({ text, cursor }: EditedText, settings: LayoutSettings): LaidOut {
  const width = Math.max(4, settings.columns - columnsOf(settings.prompt) - 1);
  const most = Math.max(1, settings.rows);
  const lines = text.split("\n");
  let line = 0;
  let start = 0;
  while (line < lines.length - 1 && start + (lines[line]?.length ?? 0) < cursor) {
    start += (lines[line]?.length ?? 0) + 1;
    line += 1;
  }
  const first = Math.max(0, line - most);
  const near = lines.slice(first, line + most);
  const rows: string[] = [];
  let place = { row: 0, column: 0 };
  for (const [index, content] of near.entries()) {
    const here = first + index === line;
    const part = nearPart(content, here ? cursor - start : -1, width * most);
    const laid = layLine(part.part, part.at, width);
    if (here) place = { row: rows.length + laid.cursor.row, column: laid.cursor.column };
    for (const row of laid.rows) {
      const head = first === 0 && rows.length === 0 ? settings.prompt : settings.indent;
      rows.push(`${head}${row.text}`);
    }
  }
  const top = Math.min(Math.max(0, place.row - most + 1), Math.max(0, rows.length - most));
  return {
    rows: rows.slice(top, top + most),
    cursor: { row: place.row - top, column: place.column + columnsOf(settings.prompt) },
  };
}
