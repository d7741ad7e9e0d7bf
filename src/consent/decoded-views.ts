import type { Json } from "../types/json.ts";
import { readBase64, textOf } from "../util/base64-bytes.ts";
import { isObject } from "../util/own.ts";
import { writeLiteral } from "./words.ts";

/** What a text in the arguments says to somebody who decodes it. */
export interface DecodedView {
  /** Where it stands, such as `options.command`. */
  readonly argument: string;
  /** How it is written, from the outside in. */
  readonly encodings: readonly Encoding[];
  readonly value: Json;
}

type Encoding = "base64" | "base64 of UTF-16" | "URL encoding" | "JSON in a string" | "escapes";

interface Decoded {
  readonly encoding: Encoding;
  readonly value: Json;
}

const mostViews = 12;
/** How deep codings in codings are followed. */
const deepest = 3;
/** Of a longer text only so many characters are looked at. */
const mostCharacters = 65_536;
const mostTokens = 8;
const base64Token = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const escapes = /\\u\{([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})/g;
const percents = /(?:%[0-9a-fA-F]{2})+/g;

/** What was found so far. */
interface Views {
  readonly found: DecodedView[];
  readonly redact: (text: string) => string;
}

/**
 * Readings of the arguments beside what they are: bounded, for a person only, the outermost first. `redact` is for their
 * names: values are shown by others.
 */
export function decodedViews(
  values: Json,
  redact: (text: string) => string = (text) => text,
): readonly DecodedView[] {
  const views: Views = { found: [], redact };
  lookInto(values, "", [], views);
  return views.found;
}

function lookInto(value: Json, argument: string, encodings: readonly Encoding[], views: Views): void {
  if (views.found.length >= mostViews) return;
  if (typeof value === "string") {
    if (encodings.length < deepest) decodeText(value, argument, encodings, views);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) lookInto(item, `${argument}[${index}]`, encodings, views);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const name = writeLiteral(views.redact(key), /^[\w-]+$/);
      lookInto(member as Json, argument === "" ? name : `${argument}.${name}`, encodings, views);
    }
  }
}

function decodeText(text: string, argument: string, encodings: readonly Encoding[], views: Views): void {
  for (const { encoding, value } of decodings(text.slice(0, mostCharacters))) {
    if (views.found.length >= mostViews) return;
    const through = [...encodings, encoding];
    views.found.push({ argument, encodings: through, value });
    lookInto(value, argument, through, views);
  }
}

function decodings(text: string): readonly Decoded[] {
  const json = jsonIn(text);
  if (json !== null) return [{ encoding: "JSON in a string", value: json }];
  const found: Decoded[] = [];
  const unescaped = text.replace(escapes, (whole, braced, four, two) => {
    const code = Number.parseInt(braced ?? four ?? two, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
  if (unescaped !== text) found.push({ encoding: "escapes", value: unescaped });
  const plain = text.replace(percents, decodePercents);
  if (plain !== text) found.push({ encoding: "URL encoding", value: plain });
  return [...found, ...base64In(text)];
}

function jsonIn(text: string): Json | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function decodePercents(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** Words and paths have the same letters: only what decodes to readable text is taken for base64. */
function base64In(text: string): Decoded[] {
  const tokens = [...text.matchAll(base64Token)].slice(0, mostTokens);
  return tokens.flatMap(([token]): Decoded[] => {
    const bytes = readBase64(token);
    if (bytes === null) return [];
    const read = textOf(bytes);
    if (read !== null && isReadable(read)) return [{ encoding: "base64", value: read }];
    const wide = utf16Of(bytes.read(0, bytes.length));
    return wide !== null && isReadable(wide) ? [{ encoding: "base64 of UTF-16", value: wide }] : [];
  });
}

function isReadable(text: string): boolean {
  return text !== "" && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
}

/** As Windows' shell takes a command. */
function utf16Of(bytes: Uint8Array): string | null {
  if (bytes.length % 2 !== 0 || !bytes.every((byte, index) => index % 2 === 0 || byte === 0)) return null;
  return new TextDecoder("utf-16le").decode(bytes);
}
