import { graphemeColumns } from "./columns.ts";

const goesOn = "↪ ";
const printableAscii = /^[\x20-\x7e]*$/;
/** A colour, or one character. */
const pieces = /\u001b\[[0-9;]*m|[\s\S]/gu;

/**
 * A line in rows of at most `columns` columns. Those that go on begin with `↪`: what somebody else wrote never stands
 * where the host begins a line. It must be escaped already; the host's colours take no columns. Nothing is lost;
 * `atSpaces` breaks behind a space where one is near. Terminals do not agree on which characters they join, so that each
 * is taken for the columns that it has by itself.
 */
export function wrapRows(
  line: string,
  columns: number,
  { atSpaces = false }: { readonly atSpaces?: boolean } = {},
): string[] {
  const rows: string[] = [];
  for (let rest = line; ; ) {
    const start = rows.length === 0 ? "" : goesOn;
    const fitting = unitsThatFit(rest, columns - start.length);
    const end = fitting < rest.length && atSpaces ? behindSpace(rest, fitting) : fitting;
    rows.push(start + rest.slice(0, end));
    if (end >= rest.length) return rows;
    rest = rest.slice(end);
  }
}

/** UTF-16 units of the longest beginning that takes no more columns; at least one character. */
function unitsThatFit(text: string, columns: number): number {
  // One more is looked at: a mark there belongs to the letter before it.
  if (printableAscii.test(text.slice(0, columns + 1))) return Math.min(text.length, Math.max(columns, 1));
  let taken = 0;
  let units = 0;
  for (const [piece] of text.matchAll(pieces)) {
    taken += piece.startsWith("\u001b[") ? 0 : graphemeColumns(piece);
    if (taken > columns && units > 0) return units;
    units += piece.length;
  }
  return units;
}

function behindSpace(text: string, end: number): number {
  const space = text.lastIndexOf(" ", end - 1) + 1;
  return space > end / 2 ? space : end;
}
