import type { Json } from "../types/json.ts";
import { isObject } from "../util/own.ts";
import { unicodeEscapes } from "../util/visible.ts";
import { writeLiteral } from "./words.ts";

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and the others that are written from right to left, with their other forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const latin = /\p{Script=Latin}/u;
const otherAlphabet = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const words = /[\p{L}\p{M}\p{N}]+/gu;
const ascii = /^[\u0000-\u007f]*$/;

/** Arguments that are named in one warning; more are counted. */
const mostNamed = 3;
const longestWord = 40;

/**
 * Sentences about letters that a person may read as something else: those that a terminal writes from right to left, and
 * words whose letters are of two alphabets that look alike. Names of arguments are looked at as well.
 */
export function scriptWarnings(
  values: Json,
  redact: (text: string) => string = (text) => text,
): readonly string[] {
  const reversed = new Set<string>();
  const mixed = new Map<string, string>();
  const look = (name: string, written: string): void => {
    if (ascii.test(written)) return;
    const text = redact(written);
    if (rightToLeft.test(text)) reversed.add(name);
    if (!otherAlphabet.test(text) || mixed.has(name)) return;
    for (const [word] of text.matchAll(words)) {
      if (!latin.test(word) || !otherAlphabet.test(word)) continue;
      mixed.set(name, word);
      return;
    }
  };
  const visit = (name: string, value: Json): void => {
    if (typeof value === "string") look(name, value);
    else if (Array.isArray(value)) for (const member of value as readonly Json[]) visit(name, member);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value as Readonly<Record<string, Json>>)) {
        const inner = [...(name === "" ? [] : [name]), writeLiteral(key, /^[\w-]+$/)].join(".");
        look(inner, key);
        visit(inner, member);
      }
    }
  };
  visit("", values);
  const [first] = mixed.values();
  return [
    ...(reversed.size === 0
      ? []
      : [
          `Letters from right to left in ${named(reversed)}: a terminal may show them, and what is beside them, in another order.`,
        ]),
    ...(first === undefined
      ? []
      : [`Letters of two alphabets in one word in ${named(mixed.keys())}: ${codesOf(first)}.`]),
  ];
}

function named(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length - mostNamed;
  return all.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The word with the letters that are not ASCII as escapes: so they are told apart. */
function codesOf(word: string): string {
  const shown = [...word].slice(0, longestWord).join("");
  const text = shown.replace(/[^\u0000-\u007f]/g, unicodeEscapes);
  return `"${text}${shown.length < word.length ? "…" : ""}"`;
}
