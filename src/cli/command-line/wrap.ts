/** Widest line of the help: a terminal of 80 columns with one to spare. */
export const helpWidth = 79;

/** The text in lines of at most `width`, broken at spaces; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/**
 * Two columns, the second wrapped: terms no wider than `widest` stand on the line of their text. Tables below each other
 * are alike with the same `narrowest`.
 */
export function columns(
  rows: readonly (readonly [term: string, text: string])[],
  widest: number,
  narrowest = 0,
): string[] {
  const fitting = rows.map(([term]) => term.length).filter((length) => length <= widest);
  const indent = Math.max(narrowest, ...fitting) + 4;
  return rows.flatMap(([term, text]) => {
    const lines = wrap(text, helpWidth - indent).map((line) => `${" ".repeat(indent)}${line}`);
    if (term.length > widest) return [`  ${term}`, ...lines];
    const [first = "", ...rest] = lines;
    return [`  ${term.padEnd(indent - 2)}${first.trimStart()}`.trimEnd(), ...rest];
  });
}
