import { columnsOf, graphemeColumns, graphemes } from "../../util/columns.ts";

const colours = /\u001b\[[0-9;]*m/g;
/** Runs of spaces or of others, and line breaks: `xx*` is `x+`, for which V8 may throw a RangeError in a huge text. */
const pieces = /\n|[ \t][ \t]*|[^\n \t][^\n \t]*/g;
const tab = 8;

/**
 * Breaks the lines of a text that comes in pieces between its words, so that a terminal does not break them inside. The
 * text must be escaped already. The last word is held back until something follows it: a line break at the latest.
 */
export function createWordWrap(write: (text: string) => void, columns: () => number): (text: string) => void {
  let column = 0;
  let spaces = "";
  let word = "";
  let wordColumns = 0;

  function spaceColumns(): number {
    let at = column;
    for (const space of spaces) at += space === "\t" ? tab - (at % tab) : 1;
    return at - column;
  }

  function putWord(): void {
    if (word === "") return;
    const gap = spaceColumns();
    const isFull = column > 0 && column + gap + wordColumns > columns();
    write(isFull ? `\n${word}` : spaces + word);
    // A word that is longer than a line is broken by the terminal.
    column = ((isFull ? 0 : column + gap) + wordColumns) % Math.max(1, columns() + 1);
    spaces = "";
    word = "";
    wordColumns = 0;
  }

  function addToWord(text: string): void {
    word += text;
    wordColumns += columnsOf(text.replace(colours, ""));
    if (wordColumns > columns()) putWord();
  }

  /** A line may be broken at both sides of a wide character, such as a Chinese one. */
  function addMixed(text: string): void {
    for (const grapheme of graphemes(text)) {
      const isWide = graphemeColumns(grapheme) === 2;
      if (isWide) putWord();
      addToWord(grapheme);
      if (isWide) putWord();
    }
  }

  return (text) => {
    for (const [piece] of text.matchAll(pieces)) {
      if (piece === "\n") {
        putWord();
        write("\n");
        column = 0;
        spaces = "";
      } else if (piece[0] === " " || piece[0] === "\t") {
        putWord();
        spaces += piece;
      } else if (/^[\x21-\x7e\u001b]*$/.test(piece)) addToWord(piece);
      else addMixed(piece);
    }
  };
}

/** One line as lines that fit the columns; those that go on stand as far to the right as the first, or `deeper`. */
export function wrapLine(line: string, columns: number, deeper = 0): string {
  if (columnsOf(line.replace(colours, "")) <= columns) return line;
  const [head = "", spaces = ""] = /^(?:\u001b\[[0-9;]*m)*( *)/.exec(line) ?? [];
  const indent = spaces + " ".repeat(deeper);
  let wrapped = head;
  let left = columns - spaces.length;
  const add = createWordWrap(
    (text) => {
      if (text === "\n") return;
      if (text.startsWith("\n")) left = columns - indent.length;
      wrapped += text.replace("\n", `\n${indent}`);
    },
    () => left,
  );
  add(`${line.slice(head.length)}\n`);
  return wrapped;
}
