import { outsidePair } from "../util/one-line.ts";

/** The text without NUL, with U+FFFD for each half of a surrogate pair, as every model API wants it; nothing else changes. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes("\0") ? formed.replaceAll("\0", "") : formed;
}

/** Bytes of one code unit in UTF-8; each half of a surrogate pair counts two. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

/** The longest beginning of the text that fits into so many bytes. */
export function headWithin(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  while (end < text.length) {
    left -= unitBytes(text.charCodeAt(end));
    if (left < 0) break;
    end++;
  }
  return text.slice(0, outsidePair(text, end));
}

/** The longest end of the text that fits into so many bytes. */
export function tailWithin(text: string, bytes: number): string {
  let left = bytes;
  let start = text.length;
  while (start > 0) {
    left -= unitBytes(text.charCodeAt(start - 1));
    if (left < 0) break;
    start--;
  }
  return text.slice(outsidePair(text, start) === start ? start : start + 1);
}
