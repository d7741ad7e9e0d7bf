import { graphemeColumns } from "../../util/columns.ts";

const goesOn = "↪ ";
const colours = /(\u001b\[[0-9;]*m)/;

/**
 * A line in rows that fit the columns, joined by line breaks; those that go on begin with `↪`, so that what a server or
 * a model wrote never stands where the host begins a line. It must be escaped already; colours take no columns. No
 * character is lost or moved; a row ends behind a space where one is near.
 */
export function markedRows(line: string, columns: number): string {
  const width = Math.max(columns, 20);
  const rows: string[] = [];
  let row = "";
  let taken = 0;
  let atSpace: { readonly length: number; readonly taken: number } | null = null;
  const breakRow = (): void => {
    const near = atSpace !== null && atSpace.taken > width / 2 ? atSpace : { length: row.length, taken };
    rows.push(row.slice(0, near.length));
    row = goesOn + row.slice(near.length);
    taken = goesOn.length + taken - near.taken;
    atSpace = null;
  };
  for (const [index, part] of line.split(colours).entries()) {
    if (index % 2 === 1) {
      row += part;
      continue;
    }
    // Terminals do not agree on which characters they join: each is taken for the columns that it has by itself.
    for (const character of part) {
      const next = graphemeColumns(character);
      if (taken + next > width) breakRow();
      row += character;
      taken += next;
      if (character === " ") atSpace = { length: row.length, taken };
    }
  }
  return [...rows, row].join("\n");
}

/** The same for a text of several lines. */
export function eachMarked(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => markedRows(line, columns))
    .join("\n");
}
