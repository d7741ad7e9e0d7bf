/** Shorter names are one edit apart by chance. */
const shortest = 5;
/** Longer ones are only compared whole: nobody reads them letter by letter. */
const longest = 64;

/**
 * A text is one edit from another exactly when one has a key in `shown` that the other has in `sought`: one character added,
 * left out or replaced, or two neighbours swapped. A digit in the place of a digit is a number, and no edit. There are as many
 * keys as the text is long, so that neighbours are found by a map and never by comparing all with all.
 */
export interface EditKeys {
  readonly shown: readonly string[];
  readonly sought: readonly string[];
}

const none: EditKeys = { shown: [], sought: [] };

export function editKeys(text: string): EditKeys {
  if (text.length < shortest || text.length > longest) return none;
  const both: string[] = [];
  const shorter: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const without = text.slice(0, at) + text.slice(at + 1);
    shorter.push(without);
    if (!isDigit(text.charCodeAt(at))) both.push(`${at}?${without}`);
    const [one = "", next] = [text[at], text[at + 1]];
    if (next !== undefined && one !== next) {
      const pair = one < next ? one + next : next + one;
      both.push(`${at}~${text.slice(0, at)}${pair}${text.slice(at + 2)}`);
    }
  }
  // A whole text is met by what another is without one of its characters, and never by another whole one.
  return {
    shown: [...both, `=${text}`, ...shorter.map((rest) => `-${rest}`)],
    sought: [...both, `-${text}`, ...shorter.map((rest) => `=${rest}`)],
  };
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
