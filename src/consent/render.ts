import type { ApprovalQuestion } from "../types/approval.ts";
import type { Json } from "../types/json.ts";
import type { ToolCall } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { visibleLine, visibleText } from "../util/visible.ts";
import { writeLiteral } from "./words.ts";

export interface RenderSettings {
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
const longestServerText = 300;

/**
 * The complete arguments, as they will be sent, in escaped JSON of several lines. Long strings are folded with the
 * number of characters left out; `full` shows them whole. No control or bidi character comes through.
 */
export function renderArguments(call: ToolCall, settings: RenderSettings = {}): string {
  const shown: Json = JSON.parse(call.argumentsJson);
  const text = visibleText(renderValue(shown, "", settings));
  return settings.width === undefined ? text : wrap(text, settings.width);
}

/** The lines of a question: what would run, why it is asked, what to know, and all arguments. */
export function renderQuestion(question: ApprovalQuestion, settings: RenderSettings = {}): readonly string[] {
  const [call] = question.calls;
  const { route, definition } = call.tool;
  const count = question.calls.length;
  const redact = settings.redact ?? ((text: string) => text);
  const title = definition.title ?? definition.annotations.title;
  return [
    `${writeLiteral(route.server)}/${writeLiteral(route.tool)}`,
    ...(count > 1 ? [`${count} identical calls of this turn, answered together`] : []),
    question.reason,
    ...question.warnings.map((warning) => `! ${warning}`),
    ...(title === undefined ? [] : [serverWords("title", redact(title), settings)]),
    ...(definition.description === ""
      ? []
      : [serverWords("description", redact(definition.description), settings)]),
    "Arguments:",
  ]
    .map((line) => visibleLine(redact(line)))
    .concat(renderArguments(call, settings).split("\n"));
}

function serverWords(what: string, text: string, settings: RenderSettings): string {
  const more = settings.full === true ? 0 : text.length - longestServerText;
  const words = JSON.stringify(more > 0 ? text.slice(0, longestServerText) : text);
  return `The server's words (${what}): ${words}${more > 0 ? ` … ${more} more characters` : ""}`;
}

function renderValue(value: Json, indent: string, settings: RenderSettings): string {
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
function renderString(text: string, settings: RenderSettings): string {
  const clean = settings.redact?.(text) ?? text;
  if (settings.full === true || clean.length <= foldOver) return JSON.stringify(clean);
  const head = clean.slice(0, headLength);
  const tail = clean.slice(-tailLength);
  const left = clean.length - headLength - tailLength;
  return `${JSON.stringify(head)} … ${left} of ${clean.length} characters are not shown here … ${JSON.stringify(tail)}`;
}

function wrap(text: string, width: number): string {
  const columns = Math.max(width, 20);
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string[] {
  const characters = [...line];
  if (characters.length <= columns) return [line];
  const lines = [characters.slice(0, columns).join("")];
  for (let at = columns; at < characters.length; at += columns - 2) {
    lines.push(`↪ ${characters.slice(at, at + columns - 2).join("")}`);
  }
  return lines;
}
