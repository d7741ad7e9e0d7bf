import { columnsOf } from "../../util/columns.ts";
import { eachMarked } from "./marked-rows.ts";
import type { Output } from "./paint.ts";
import { wrapLine } from "./wrap-words.ts";

/** Where the cursor stands in the area, from its first row and column on. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * A terminal that lines are written down to, with an area at its end that is written over: the input, or what runs.
 * Every text must be escaped already.
 */
export interface Screen {
  columns(): number;
  rows(): number;
  /** Rows that were written above the area so far: what stands further up than `rows` has left the screen. */
  position(): number;
  /** A whole line above the area, broken between words where it is wider than the terminal. */
  line(text: string): void;
  /** The same for lines that hold words from outside: rows that go on begin with a mark, so that no word begins one. */
  marked(text: string): void;
  /** The same for a line in which every space counts: the terminal breaks it at its edge. */
  exact(text: string): void;
  /** A text that goes on where the last one ended. The area waits until the line is over. */
  stream(text: string): void;
  /** Ends a streamed line, if there is one. */
  endStream(): void;
  /** Replaces the area. Rows must fit the columns; the cursor stands behind the last one when no place is given. */
  area(rows: readonly string[], cursor?: Place): void;
  /** Empties the screen; the area comes back at its top. */
  clear(): void;
}

interface Area {
  readonly rows: readonly string[];
  readonly cursor: Place;
}

const noArea: Area = { rows: [], cursor: { row: 0, column: 0 } };
const escapes = /\u001b\[[0-9;]*m/g;

export function createScreen(output: Output & { readonly rows?: number }): Screen {
  let area = noArea;
  /** The area as it is on the screen; null while it is not there. */
  let drawn: Area | null = null;
  let midLine = false;
  let position = 0;
  const columns = () => Math.max(20, output.columns || 80);

  /** Rows above the cursor, also after the terminal became narrower and wrapped them. */
  function rowsAbove({ rows, cursor }: Area): number {
    const width = columns();
    const wrapped = rows
      .slice(0, cursor.row)
      .map((row) => Math.max(1, Math.ceil(columnsOf(row.replace(escapes, "")) / width)));
    return wrapped.reduce((sum, count) => sum + count, 0) + Math.floor(cursor.column / width);
  }

  function erased(): string {
    if (drawn === null) return "";
    const up = rowsAbove(drawn);
    drawn = null;
    return `${up > 0 ? `\u001b[${up}A` : ""}\r\u001b[J`;
  }

  function painted(): string {
    if (midLine || area.rows.length === 0) return "";
    drawn = area;
    const up = area.rows.length - 1 - area.cursor.row;
    const right = area.cursor.column;
    const place = `${up > 0 ? `\u001b[${up}A` : ""}\r${right > 0 ? `\u001b[${right}C` : ""}`;
    return `${area.rows.join("\n")}${place}`;
  }

  const ended = (): string => {
    const text = midLine ? "\n" : "";
    midLine = false;
    return text;
  };

  function rowsOf(text: string): number {
    const lines = text.replace(escapes, "").split("\n");
    return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / columns())), 0);
  }

  function put(text: string): void {
    position += rowsOf(text);
    output.write(`${erased()}${ended()}${text}\n${painted()}`);
  }

  return {
    columns,
    rows: () => Math.max(4, output.rows || 24),
    position: () => position,
    line: (text) => put(wrapLine(text, columns() - 1)),
    marked: (text) => put(eachMarked(text, columns() - 1)),
    exact: put,
    stream(text) {
      if (text === "") return;
      const gone = erased();
      midLine = !text.endsWith("\n");
      position += rowsOf(text);
      output.write(`${gone}${text}${painted()}`);
    },
    endStream() {
      if (midLine) output.write(`${ended()}${painted()}`);
    },
    area(rows, cursor) {
      const last = rows.at(-1) ?? "";
      const end = { row: rows.length - 1, column: columnsOf(last.replace(escapes, "")) };
      const before = erased();
      area = rows.length === 0 ? noArea : { rows, cursor: cursor ?? end };
      const text = before + painted();
      if (text !== "") output.write(text);
    },
    clear() {
      drawn = null;
      midLine = false;
      position += Math.max(4, output.rows || 24);
      output.write(`\u001b[H\u001b[2J${painted()}`);
    },
  };
}
