import type { Json } from "../types/json.ts";
import { outsidePair } from "../util/one-line.ts";
import { isObject } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { visibleText } from "../util/visible.ts";
import { wrapRows } from "../util/wrap-rows.ts";
import { exactText } from "./exact-text.ts";

export interface ValueSettings {
  /** Columns; longer lines go on below, marked with `↪`. Default: no wrapping. */
  readonly width?: number;
  /** Shows long strings whole. Default: their head and tail, and how much is between. */
  readonly full?: boolean;
  /** Replaces secrets in one string, before anything else is done to it. */
  readonly redact?: (text: string) => string;
}

const foldOver = 600;
const headLength = 400;
const tailLength = 100;

/** A value as escaped JSON of several lines, complete but for the middle of long strings. */
export function renderJson(value: Json, settings: ValueSettings): string {
  const text = exactText(visibleText(renderValue(value, "", settings)));
  return settings.width === undefined ? text : wrap(text, settings.width);
}

function renderValue(value: Json, indent: string, settings: ValueSettings): string {
  if (typeof value === "string") return renderString(value, settings);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => `${inner}${renderValue(item, inner, settings)}`);
    return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${indent}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${renderString(key, settings)}: ${renderValue(member, inner, settings)}`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
}

/** The note stands outside of the quotes, where no argument can write. */
function renderString(text: string, settings: ValueSettings): string {
  const { clean, quoted } = withoutSecrets(text, settings);
  if (settings.full === true || clean.length <= foldOver) return quoted(clean);
  const head = clean.slice(0, outsidePair(clean, headLength));
  const tail = clean.slice(outsidePair(clean, clean.length - tailLength));
  const left = clean.length - head.length - tail.length;
  const bytes = utf8Length(clean);
  const size = bytes === clean.length ? "" : ` (${bytes} bytes in all)`;
  return `${quoted(head)} … ${left} of ${clean.length} characters${size} are not shown here … ${quoted(tail)}`;
}

const secretMark = "⟨secret ";

/** What the text itself writes like a replaced secret is an escape: only the host says that something is one. */
function withoutSecrets(
  text: string,
  { redact }: ValueSettings,
): { readonly clean: string; readonly quoted: (part: string) => string } {
  if (redact === undefined || !text.includes(secretMark)) {
    return { clean: redact?.(text) ?? text, quoted: JSON.stringify };
  }
  const stand = unusedCharacter(text);
  const clean = redact(text.replaceAll(secretMark, `${stand}${secretMark.slice(1)}`));
  return { clean, quoted: (part) => JSON.stringify(part).replaceAll(stand, "\\u27e8") };
}

/** A character that the text does not hold: one for private use, unless it holds all of these. */
function unusedCharacter(text: string): string {
  const used = new Set(text);
  let code = 0xe000;
  while (used.has(String.fromCodePoint(code))) code += 1;
  return String.fromCodePoint(code);
}

function wrap(text: string, width: number): string {
  const columns = Math.max(width, 20);
  return text
    .split("\n")
    .flatMap((line) => wrapRows(line, columns))
    .join("\n");
}
