/**
 * Characters that look like a small Latin letter, by that letter: of Cyrillic, Greek, Armenian, Hebrew and Latin itself.
 * What Unicode's compatibility forms and accents hide (full width, mathematical letters, é) is undone before.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "аɑαᴀ",
  b: "ЬƄьʙ",
  c: "сϲᴄⅽс",
  d: "ԁժᴅⅾ",
  e: "еҽєеεє℮",
  f: "ғƒϝ",
  g: "ɡցɢ",
  h: "һհнʜ",
  i: "іɩιıӏⅰӏ",
  j: "јϳյ",
  k: "кκĸᴋ",
  l: "ⅼǀ∣ӏℓ",
  m: "мⅿᴍ",
  n: "пոηɴ",
  o: "оοօᴏσ००੦๐໐",
  p: "рρᴘ",
  q: "ԛզ",
  r: "гᴦʀ",
  s: "ѕꜱ",
  t: "тτᴛ",
  u: "υսᴜ",
  v: "ѵνᴠⅴט",
  w: "ԝωѡᴡ",
  x: "хχⅹ×",
  y: "уүγу",
  z: "ᴢż",
  "3": "зӡʒ",
};

const letters = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);

const invisible = /[\p{Cf}\p{Cc}\p{Mn}\p{Me}\u115f\u1160\u3164\uffa0]/gu;
const notAscii = /[^\u0000-\u007f]/u;
const separators = /[\s\-_./:~‐-―−⁄∕]+/gu;
/** Names are compared up to here. */
const longest = 256;

/** The name without what does not tell it apart at a glance: case, accents, alphabets, invisible characters. */
export function folded(name: string): string {
  const cut = name.slice(0, longest);
  if (!notAscii.test(cut)) return cut.toLowerCase().replace(separators, "_");
  const plain = cut.normalize("NFKD").replace(invisible, "").toLowerCase();
  const mapped = [...plain].map((character) => letters.get(character) ?? character).join("");
  return mapped.replace(separators, "_");
}

const digits: Readonly<Record<string, string>> = { "0": "o", "1": "l", i: "l", "|": "l", "!": "l", $: "s" };

/**
 * Two names with one skeleton look the same (after Unicode UTS #39, with case and separators left out as well): digits
 * that look like letters, and pairs of letters that look like one, are the same here.
 */
export function skeleton(name: string): string {
  return folded(name)
    .replace(/[01i|!$]/g, (character) => digits[character] ?? character)
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");
}
