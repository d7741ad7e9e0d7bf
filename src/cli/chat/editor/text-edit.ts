import { graphemes } from "../../../util/columns.ts";

/** A text under the cursor; `cursor` counts UTF-16 units and never stands inside a grapheme. */
export interface EditedText {
  readonly text: string;
  readonly cursor: number;
}

/** No grapheme that a person writes is longer than this, so that a long text is not taken apart for one step. */
const nearUnits = 64;

/** Puts a text in at the cursor. */
export function insert({ text, cursor }: EditedText, added: string): EditedText {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Where the grapheme before the cursor begins. */
export function before({ text, cursor }: EditedText): number {
  const last = graphemes(text.slice(Math.max(0, cursor - nearUnits), cursor)).at(-1);
  return cursor - (last?.length ?? 0);
}

/** Where the grapheme at the cursor ends. */
export function after({ text, cursor }: EditedText): number {
  const [first] = graphemes(text.slice(cursor, cursor + nearUnits));
  return cursor + (first?.length ?? 0);
}

const isWordUnit = (unit: string | undefined) => unit !== undefined && !/[\s/]/.test(unit);

export function wordBefore({ text, cursor }: EditedText): number {
  let at = cursor;
  while (at > 0 && !isWordUnit(text[at - 1])) at -= 1;
  while (at > 0 && isWordUnit(text[at - 1])) at -= 1;
  return at;
}

export function wordAfter({ text, cursor }: EditedText): number {
  let at = cursor;
  while (at < text.length && !isWordUnit(text[at])) at += 1;
  while (at < text.length && isWordUnit(text[at])) at += 1;
  return at;
}

export function lineStart({ text, cursor }: EditedText): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

export function lineEnd({ text, cursor }: EditedText): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

/** Takes out what lies between the cursor and `to`, on either side. */
export function removeTo({ text, cursor }: EditedText, to: number): EditedText {
  const [from, end] = to < cursor ? [to, cursor] : [cursor, to];
  return { text: text.slice(0, from) + text.slice(end), cursor: from };
}

/** The cursor one line up or down, at the same distance from the line's start; null when there is no such line. */
export function otherLine(edited: EditedText, step: -1 | 1): EditedText | null {
  const start = lineStart(edited);
  const distance = graphemes(edited.text.slice(start, edited.cursor)).length;
  const edge = step < 0 ? start - 1 : lineEnd(edited) + 1;
  if (edge < 0 || edge > edited.text.length) return null;
  const target = { text: edited.text, cursor: edge };
  const from = lineStart(target);
  const line = edited.text.slice(from, lineEnd({ text: edited.text, cursor: from }));
  const reach = graphemes(line).slice(0, distance).join("").length;
  return { text: edited.text, cursor: from + reach };
}
