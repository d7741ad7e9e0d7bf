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

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** The position, or the one before it when it lies inside a surrogate pair. */
export function outsidePair(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position;
  return isLow(text.charCodeAt(position)) && isHigh(text.charCodeAt(position - 1)) ? position - 1 : position;
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

/** A count for people and models: `1,234`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** The text on one line, at most `most` characters, saying how many were left out. */
export function oneLine(text: string, most: number): string {
  const head = text.slice(0, outsidePair(text, Math.min(text.length, most)));
  const line = head.replace(/\s+/g, " ").trim();
  return head.length === text.length
    ? line
    : `${line}… (${count(text.length - head.length)} more characters)`;
}
