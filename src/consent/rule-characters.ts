import { exactText } from "./exact-text.ts";
import { RuleProblem } from "./rule-problem.ts";
import type { Word } from "./words.ts";

/** What other languages of patterns use, at the start of one too, and quotes that are none here. */
const meantOtherwise = /[?[\]{}|^'`‘’“”]|^[=!]/u;
/** In a URL some of these are ordinary. */
const inUrl = /[{}|^'`‘’“”]/u;
const partOfKey = /^[\p{L}\p{M}\p{N}_@:./-]*$/u;

/** Throws for a rule that does not mean what it looks like: something in it is not seen. */
export function checkSeen(text: string): void {
  for (const character of text) {
    if (/[\t\r\n]/.test(character) || exactText(`a${character}`) === `a${character}`) continue;
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new RuleProblem(
      `it holds a character that nobody sees or takes for another, U+${number}; in quotes it is written as an escape (\\uXXXX)`,
    );
  }
}

/** Throws for a pattern that holds what stands for itself here and for something else elsewhere, outside of quotes. */
export function checkGlob(word: Word): void {
  const bare = word.map(({ text, quoted }) => (quoted ? "x" : text)).join("");
  const found = (bare.includes("://") ? inUrl : meantOtherwise).exec(bare)?.[0];
  if (found === undefined) return;
  throw new RuleProblem(
    `only * and ** are wildcards; a ${found} that stands for itself is written in quotes, such as "a${found}b"`,
  );
}

/** Throws for the name of an argument with what looks like an operator. */
export function checkKey(word: Word): void {
  const piece = word.find(({ text, quoted }) => !quoted && !partOfKey.test(text));
  if (piece === undefined) return;
  throw new RuleProblem(
    `before = the name of an argument is expected, and other signs than letters and digits in it stand in quotes: ${piece.text}`,
  );
}
