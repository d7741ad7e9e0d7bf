import { extensionOf, stemsOf } from "./words.ts";

/** What a token of a question may stand for as an argument. `word` is everything else. */
export type TokenKind =
  | "word"
  | "quoted"
  | "path"
  | "glob"
  | "url"
  | "number"
  | "assignment"
  | "marker"
  | "code"
  | "name";

export interface Token {
  readonly kind: TokenKind;
  /** The value as it would be given to a tool: without quotes and the punctuation behind it. */
  readonly text: string;
  /** Stems of the text. */
  readonly stems: readonly string[];
  /** Punctuation right behind it. */
  readonly end: string;
}

/** Most characters of a question that are looked at. */
const longestQuestion = 8_000;

const extensions = new Set(
  (
    "ts tsx mts cts js jsx mjs cjs json jsonl md mdx txt py go sql sh css scss html htm yml yaml toml csv tsv rs java kt swift " +
    "c h cc cpp hpp cs rb php lua xml svg png jpg jpeg gif webp pdf lock env ini cfg conf log gz zip tar"
  ).split(" "),
);

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
};

/** The tokens of a question, in order. Linear in its length. */
export function tokensOf(text: string): Token[] {
  const source = text.slice(0, longestQuestion);
  const tokens: Token[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  while (at < source.length) {
    const first = source[at] ?? "";
    if (/\s/.test(first)) {
      at++;
      continue;
    }
    const closing = Object.hasOwn(quotes, first) ? quotes[first] : undefined;
    const close = closing === undefined || unclosed.has(closing) ? -1 : closingQuote(source, closing, at + 1);
    if (closing !== undefined && close < 0) unclosed.add(closing);
    if (close > at + 1) {
      const inner = source.slice(at + 1, close);
      at = close + 1;
      const end = /^[.,;:!?)]*/.exec(source.slice(at, at + 8))?.[0] ?? "";
      at += end.length;
      tokens.push({ kind: "quoted", text: inner, stems: stemsOf(inner), end });
      continue;
    }
    let stop = at + 1;
    while (stop < source.length && !/\s/.test(source[stop] ?? "")) stop++;
    const token = wordToken(source.slice(at, stop), tokens);
    if (token !== null) tokens.push(token);
    at = stop;
  }
  return mergeNames(markLowercase(tokens));
}

/** The closing quote that ends a word: an apostrophe inside a word closes nothing. */
function closingQuote(source: string, quote: string, from: number): number {
  for (let at = source.indexOf(quote, from); at >= 0; at = source.indexOf(quote, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(source[at + 1] ?? "")) return at;
  }
  return -1;
}

function wordToken(raw: string, before: readonly Token[]): Token | null {
  let stop = raw.length;
  while (stop > 0 && ".,;:!?)]}\"'".includes(raw[stop - 1] ?? "")) stop--;
  let start = 0;
  while (start < stop && "([{\"'".includes(raw[start] ?? "")) start++;
  const text = raw.slice(start, stop);
  if (text === "") {
    return raw === "." || raw === ".." ? { kind: "path", text: raw, stems: [], end: "" } : null;
  }
  const begins = before.length === 0 || /[.!?;:]/.test(before.at(-1)?.end ?? "");
  const kind = kindOf(text, begins);
  const value = kind === "marker" ? text.replace(/s$/, "").replaceAll("/", "|") : text;
  return { kind, text: value, stems: stemsOf(text), end: raw.slice(stop) };
}

function kindOf(text: string, begins: boolean): TokenKind {
  if (/^(?:https?|data|file):\S/i.test(text)) return "url";
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return "number";
  if (/^[A-Za-z_][\w-]*=./.test(text)) return "assignment";
  if (/^[A-Z][A-Z0-9_]{2,}s?(?:[|/][A-Z][A-Z0-9_]{2,}s?)*$/.test(text)) {
    return extensionOf(text) === undefined ? "marker" : "word";
  }
  if (text.includes("*")) return "glob";
  if (text.includes("/") || /^\.\w/.test(text)) return /^and\/or$/i.test(text) ? "word" : "path";
  const extension = /^[\w.-]*\w\.(\w{1,5})$/.exec(text)?.[1];
  if (extension !== undefined && extensions.has(extension.toLowerCase())) return "path";
  if (extensionOf(text) !== undefined) return "word";
  if (/[a-z0-9][A-Z]|\w_\w|\w\.\w|\w\(\)?$|::/.test(text)) return "code";
  return !begins && /^\p{Lu}\p{Ll}+/u.test(text) ? "name" : "word";
}

/** `todo comments` means the mark `TODO`; `todo` alone is a word like others. */
function markLowercase(tokens: readonly Token[]): Token[] {
  return tokens.map((token, at) => {
    const mark = /^(todo|fixme|hack|xxx)s?$/i.exec(token.text)?.[1];
    const noted = /^(?:comment|note|marker)s?$/i.test(tokens[at + 1]?.text ?? "");
    return mark !== undefined && noted && token.kind !== "quoted"
      ? { ...token, kind: "marker", text: mark.toUpperCase() }
      : token;
  });
}

/** Names of several words become one token: `Ada Lovelace`, `New York`. */
function mergeNames(tokens: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (last?.kind === "name" && token.kind === "name" && last.end === "") {
      const text = `${last.text} ${token.text}`;
      merged[merged.length - 1] = { ...token, text, stems: [...last.stems, ...token.stems] };
    } else merged.push(token);
  }
  return merged;
}
