import { unicodeEscapes } from "../util/visible.ts";

/**
 * Characters that nobody sees, or that look like another one: controls, formats (bidi, zero-width, tags), variation
 * selectors and other default-ignorable ones, every space but U+0020, line and paragraph separators, surrogates
 * without their other half, private and unassigned ones. Line breaks are left out: the writer sets them.
 */
const unseen =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;
const marks = /\p{M}+/gu;
/** More marks on one letter than any language writes there: they cover the lines around them. */
const mostMarks = 3;
const letterBefore = /[\p{L}\p{N}\p{S}]$/u;

/** The text with everything unseen, and marks that stand on no letter or in a flood, as the escapes of JSON. */
export function exactText(text: string): string {
  return text.replace(unseen, unicodeEscapes).replace(marks, (run: string, at: number, whole: string) => {
    const stands = letterBefore.test(whole.slice(Math.max(0, at - 2), at));
    const kept = stands ? [...run].slice(0, mostMarks).join("") : "";
    return kept + unicodeEscapes(run.slice(kept.length));
  });
}
