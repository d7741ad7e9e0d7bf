const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** The position, or the one before it when it lies inside a surrogate pair. */
export function outsidePair(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position;
  return isLow(text.charCodeAt(position)) && isHigh(text.charCodeAt(position - 1)) ? position - 1 : position;
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
