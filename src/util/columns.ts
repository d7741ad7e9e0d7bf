/** Made when it is first needed: it is not cheap. */
let segmenter: Intl.Segmenter | undefined;
const printableAscii = /^[\x20-\x7e]*$/;
const takesColumn = /[^\p{Mn}\p{Me}\p{Cf}]/u;
const picture = /\p{Emoji_Presentation}|\ufe0f/u;

/** East Asian wide and full-width characters, first and last of each range: Unicode Standard Annex 11. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d37f],
  [0x1f200, 0x1f265],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

/** What a person takes for one character: letters with their marks, whole emoji. */
export function graphemes(text: string): string[] {
  if (printableAscii.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that one grapheme takes on a terminal: 0, 1 or 2. */
export function graphemeColumns(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code < 0x300 && grapheme.length === 1) return 1;
  if (!takesColumn.test(grapheme)) return 0;
  if (picture.test(grapheme)) return 2;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Columns that a text of one line takes; it must be escaped already. */
export function columnsOf(text: string): number {
  if (printableAscii.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeColumns(grapheme), 0);
}

/** The text, or its beginning with `…`, so that it takes at most `most` columns. */
export function cutToColumns(text: string, most: number): string {
  // Nothing beyond this many units can fit, so that a huge text is not taken apart.
  const near = text.length > most * 12 ? text.slice(0, most * 12) : text;
  if (near.length === text.length && columnsOf(text) <= most) return text;
  let columns = 0;
  let kept = "";
  for (const grapheme of graphemes(near)) {
    const next = graphemeColumns(grapheme);
    if (columns + next > most - 1) break;
    columns += next;
    kept += grapheme;
  }
  return most < 1 ? "" : `${kept}…`;
}
