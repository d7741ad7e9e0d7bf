/**
 * Characters that can redraw a terminal, reorder a line or hide in it: C0 and C1 controls, DEL, bidi marks, zero-width
 * and tag characters, variation selectors of the supplementary plane, lone surrogates.
 */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u180b-\u180f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\uddef]/g;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOne(found: string): string {
  return short[found] ?? unicodeEscapes(found);
}

/** Every UTF-16 unit of the text as JSON's `\uXXXX`. */
export function unicodeEscapes(text: string): string {
  let escapes = "";
  for (let index = 0; index < text.length; index++) {
    escapes += `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escapes;
}

/** The text on one line with everything invisible or dangerous written as an escape. */
export function visibleLine(text: string): string {
  return text.replace(unsafe, escapeOne);
}

/** The same, but line breaks and tabs stay: for text of several lines on a terminal. */
export function visibleText(text: string): string {
  return text.replace(unsafe, (found) => (found === "\n" || found === "\t" ? found : escapeOne(found)));
}
