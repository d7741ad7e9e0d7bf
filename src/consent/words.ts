import { unicodeEscapes } from "../util/visible.ts";

/** Text of a rule: what stood in quotes is literal, what did not may hold wildcards. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

export type Word = readonly Piece[];

const quotedText = /"(?:[^"\\]|\\[\s\S])*"/y;
const bareText = /[^\s"]+/y;

/** Splits a rule at spaces outside of quotes. Quotes hold a JSON string and may begin anywhere; null when one is broken. */
export function splitWords(text: string): readonly Word[] | null {
  const words: Piece[][] = [];
  let word: Piece[] | null = null;
  for (let at = 0; at < text.length; ) {
    const shape = text.charAt(at) === '"' ? quotedText : bareText;
    shape.lastIndex = at;
    const found = shape.exec(text)?.[0];
    if (found === undefined) {
      if (shape === quotedText) return null;
      word = null;
      at++;
      continue;
    }
    const piece = shape === quotedText ? unquote(found) : { text: found, quoted: false };
    if (piece === null) return null;
    if (word === null) {
      word = [];
      words.push(word);
    }
    word.push(piece);
    at += found.length;
  }
  return words;
}

function unquote(found: string): Piece | null {
  try {
    return { text: String(JSON.parse(found)), quoted: true };
  } catch {
    return null;
  }
}

/** The word before and behind the first unquoted `separator`, or null when there is none. */
export function splitWord(word: Word, separator: string): readonly [Word, Word] | null {
  for (const [index, piece] of word.entries()) {
    const at = piece.quoted ? -1 : piece.text.indexOf(separator);
    if (at < 0) continue;
    const before = { text: piece.text.slice(0, at), quoted: false };
    const behind = { text: piece.text.slice(at + separator.length), quoted: false };
    return [
      withoutEmpty([...word.slice(0, index), before]),
      withoutEmpty([behind, ...word.slice(index + 1)]),
    ];
  }
  return null;
}

/** Empty quotes stay: they are how an empty text is written. */
function withoutEmpty(word: Word): Word {
  return word.filter((piece) => piece.quoted || piece.text !== "");
}

/** The word as it can be written in a rule: what was quoted is quoted again. */
export function writeWord(word: Word): string {
  return word.map((piece) => (piece.quoted ? writeQuoted(piece.text) : piece.text)).join("");
}

/** A name or value as a rule must write it to mean exactly that text; quoted unless it is `plain`. */
export function writeLiteral(text: string, plain: RegExp = /^[\w.@:+-]+$/): string {
  return plain.test(text) ? text : writeQuoted(text);
}

function writeQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, unicodeEscapes);
}
