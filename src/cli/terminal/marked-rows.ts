import { wrapRows } from "../../util/wrap-rows.ts";

/** A line in rows that fit the columns, joined by line breaks (`wrapRows`, at spaces). */
export function markedRows(line: string, columns: number): string {
  return wrapRows(line, Math.max(columns, 20), { atSpaces: true }).join("\n");
}

/** The same for a text of several lines. */
export function eachMarked(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => markedRows(line, columns))
    .join("\n");
}
