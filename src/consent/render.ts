import type { ApprovalQuestion } from "../types/approval.ts";
import type { Json } from "../types/json.ts";
import type { ToolCall } from "../types/tool.ts";
import { outsidePair } from "../util/one-line.ts";
import { visibleLine } from "../util/visible.ts";
import { wrapRows } from "../util/wrap-rows.ts";
import { type DecodedView, decodedViews } from "./decoded-views.ts";
import { exactText } from "./exact-text.ts";
import { renderJson, type ValueSettings } from "./render-value.ts";
import { scriptWarnings } from "./script-warnings.ts";
import { writeLiteral } from "./words.ts";

export interface RenderSettings extends ValueSettings {}

const longestServerText = 300;
/** Lines of one decoded view. */
const longestView = 8;

/**
 * The complete arguments, as they will be sent, in escaped JSON of several lines. Long strings are folded with the
 * number of characters left out; `full` shows them whole. No character comes through that is not seen.
 */
export function renderArguments(call: ToolCall, settings: RenderSettings = {}): string {
  return renderJson(argumentsOf(call), settings);
}

function argumentsOf(call: ToolCall): Json {
  return JSON.parse(call.argumentsJson);
}

/**
 * The lines of a question: what would run, why it is asked, what to know, all arguments, and beside them what they say
 * when they are decoded.
 */
export function renderQuestion(question: ApprovalQuestion, settings: RenderSettings = {}): readonly string[] {
  const [call] = question.calls;
  const { route, definition } = call.tool;
  const count = question.calls.length;
  const redact = settings.redact ?? ((text: string) => text);
  const title = definition.title ?? definition.annotations.title;
  const values = argumentsOf(call);
  return [
    `${writeLiteral(route.server)}/${writeLiteral(route.tool)}`,
    ...(count > 1 ? [`${count} identical calls of this turn, answered together`] : []),
    question.reason,
    ...[...question.warnings, ...scriptWarnings(values, redact)].map((warning) => `! ${warning}`),
    ...(title === undefined ? [] : [serverWords("title", redact(title), settings)]),
    ...(definition.description === ""
      ? []
      : [serverWords("description", redact(definition.description), settings)]),
    "Arguments:",
  ]
    .flatMap((line) =>
      wrapRows(exactText(visibleLine(redact(line))), columnsOf(settings), { atSpaces: true }),
    )
    .concat(renderJson(values, settings).split("\n"), renderViews(values, settings));
}

function serverWords(what: string, text: string, settings: RenderSettings): string {
  const end =
    settings.full === true ? text.length : outsidePair(text, Math.min(text.length, longestServerText));
  const more = text.length - end;
  const words = JSON.stringify(text.slice(0, end));
  return `The server's words (${what}): ${words}${more > 0 ? ` … ${more} more characters` : ""}`;
}

function renderViews(values: Json, settings: RenderSettings): readonly string[] {
  return decodedViews(values, settings.redact).flatMap((view) => renderView(view, settings));
}

/** What is sent is the text as it stands in the arguments: a view only says how it may be read. */
function renderView({ argument, encodings, value }: DecodedView, settings: RenderSettings): string[] {
  const head = `Decoded view of ${argument} (${encodings.join(", then ")}), not what is sent:`;
  const { width } = settings;
  const inner = width === undefined ? settings : { ...settings, width: width - 2 };
  const lines = renderJson(value, inner).split("\n");
  const shown = settings.full === true ? lines : lines.slice(0, longestView);
  const left = lines.length - shown.length;
  const more = left === 0 ? [] : [`  … ${left} more lines of this view`];
  return [...wrapRows(exactText(head), columnsOf(settings)), ...shown.map((line) => `  ${line}`), ...more];
}

function columnsOf({ width }: RenderSettings): number {
  return width === undefined ? Number.POSITIVE_INFINITY : Math.max(width, 20);
}
