/** Shorter names are one edit apart by chance. */
const shortest = 5;
/** Longer ones are only compared whole: nobody reads them letter by letter. */
const longest = 64;

/**
 * A text is one edit from another only when one has a key in `shown` that the other has in `sought`: one character added,
 * left out or replaced, or two neighbours swapped. There are as many keys as the text is long, so that neighbours are found by
 * a map and never by comparing all with all. Keys are hashes: `isOneEdit` says whether it is so.
 */
export interface EditKeys {
  readonly shown: readonly number[];
  readonly sought: readonly number[];
}

const none: EditKeys = { shown: [], sought: [] };

/** Kinds of keys; those of a place in the text come behind. */
const whole = 0;
const shorter = 1;

export function editKeys(text: string): EditKeys {
  if (!isCompared(text)) return none;
  const [one, other] = [hashesOf(text, 0x01000193), hashesOf(text, 0x2c1b3c6d)];
  const both: number[] = [];
  const rests: (readonly [number, number])[] = [];
  for (let at = 0; at < text.length; at++) {
    const rest = [one.without(at), other.without(at)] as const;
    rests.push(rest);
    if (!isDigit(text.charCodeAt(at))) both.push(keyOf(2 + 2 * at, rest[0], rest[1]));
    if (at + 1 < text.length) both.push(keyOf(3 + 2 * at, one.swapped(at), other.swapped(at)));
  }
  // A whole text is met by what another is without one of its characters, and never by another whole one.
  return {
    shown: [...both, keyOf(whole, one.all, other.all), ...rests.map((rest) => keyOf(shorter, ...rest))],
    sought: [...both, keyOf(shorter, one.all, other.all), ...rests.map((rest) => keyOf(whole, ...rest))],
  };
}

/** 53 bits of two hashes and the kind. */
function keyOf(kind: number, one: number, other: number): number {
  return ((one + Math.imul(kind + 1, 0x9e3779b1)) >>> 0) * 0x200000 + (other & 0x1fffff);
}

interface TextHashes {
  readonly all: number;
  /** Of the text without the character at this place. */
  without(at: number): number;
  /** Of the text with the two characters from this place on in order: the same for both orders. */
  swapped(at: number): number;
}

/** Polynomial hashes of 32 bits, each in the time of one character. */
function hashesOf(text: string, factor: number): TextHashes {
  const { length } = text;
  const powers = [1];
  const heads = [0];
  for (let at = 0; at < length; at++) {
    powers.push(Math.imul(powers[at] ?? 0, factor));
    heads.push((Math.imul(heads[at] ?? 0, factor) + text.charCodeAt(at) + 1) | 0);
  }
  const head = (at: number) => heads[at] ?? 0;
  const power = (count: number) => powers[count] ?? 0;
  const tail = (at: number) => (head(length) - Math.imul(head(at), power(length - at))) | 0;
  const joined = (first: number, at: number) => (Math.imul(first, power(length - at)) + tail(at)) | 0;
  return {
    all: head(length),
    without: (at) => joined(head(at), at + 1),
    swapped(at) {
      const [a, b] = [text.charCodeAt(at) + 1, text.charCodeAt(at + 1) + 1];
      const low = (Math.imul(head(at), factor) + Math.min(a, b)) | 0;
      return joined((Math.imul(low, factor) + Math.max(a, b)) | 0, at + 2);
    },
  };
}

/**
 * Whether one text becomes the other by adding, leaving out or replacing one character, or by swapping two neighbours. A
 * digit in the place of a digit is a number, and no edit.
 */
export function isOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  if (!isCompared(a) || !isCompared(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length + right.length === 1) return true;
  if (left.length === 1 && right.length === 1) {
    return !(isDigit(left.charCodeAt(0)) && isDigit(right.charCodeAt(0)));
  }
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

function isCompared({ length }: string): boolean {
  return length >= shortest && length <= longest;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
