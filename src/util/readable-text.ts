import { visibleText } from "./visible.ts";

/** Scripts whose letters take another form beside a joiner, so that spelling needs it (Unicode core specification, 23.2). */
const scripts =
  "Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan";
const joining = `[${scripts.replace(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)}]`;

/** A joiner between two emoji that it makes one of (UTS #51), or between two letters of such a script. */
const meantJoiner = new RegExp(
  `(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})|(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  "gu",
);

const anyJoiner = /[\u200c\u200d]/;

/** The most UTF-16 units before a joiner that say whether it is meant. */
export const joinerContext = 4;

/**
 * `visibleText` for prose that a person reads and decides nothing by, such as an answer: joiners stay where the writing
 * needs them, as in 👩‍💻 or in Persian words. `before` is what stands directly before the text, already written.
 */
export function readableText(text: string, before = ""): string {
  // The first use of the pattern takes tens of milliseconds.
  if (!anyJoiner.test(text)) return visibleText(text);
  const whole = before + text;
  let readable = "";
  let end = before.length;
  for (const { index } of whole.matchAll(meantJoiner)) {
    if (index < end) continue;
    readable += visibleText(whole.slice(end, index)) + whole.charAt(index);
    end = index + 1;
  }
  return readable + visibleText(whole.slice(end));
}
