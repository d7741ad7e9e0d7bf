import type { RunEvent } from "../../../types/events.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { DecisionSource } from "../../../types/outcome.ts";
import { columnsOf, cutToColumns } from "../../../util/columns.ts";
import { outsidePair } from "../../../util/one-line.ts";
import { visibleLine } from "../../../util/visible.ts";
import type { Paint } from "../../terminal/paint.ts";
import { count, formatBytes, formatMs } from "../../terminal/units.ts";

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** A call of a turn, as far as it is known. */
export interface ShownCall {
  /** Server and raw tool name, or the alias when there is no such tool; escaped. */
  readonly name: string;
  /** JSON on one line, escaped. */
  readonly arguments: string;
  readonly rejected?: EventOf<"call_rejected">;
  readonly decided?: EventOf<"call_decided">;
  /** When its current attempt began, in milliseconds of the clock. */
  readonly startedAt?: number;
  readonly progress?: EventOf<"call_progress">;
  readonly completed?: EventOf<"call_completed">;
  /** What the model got of it. */
  readonly returned?: { readonly bytes: number; readonly cutBytes: number };
}

/** Arguments are shown whole when somebody is asked; a line shows their beginning and how much more there is. */
const argumentsShown = 160;
/** Columns that the arguments have on a line in any case. */
const leastShown = 30;

export function argumentsText(value: JsonObject): string {
  const text = visibleLine(JSON.stringify(value));
  if (text === "{}") return "";
  if (text.length <= argumentsShown) return text;
  const shown = outsidePair(text, argumentsShown);
  return `${text.slice(0, shown)}… (${count(text.length - shown, "more character")})`;
}

/** Why a call was allowed, in a few words. */
function allowedBy(by: DecisionSource): string {
  switch (by.type) {
    case "rule":
      return `allowed by the rule ${visibleLine(by.rule)}`;
    case "hint":
      return "allowed: only reads, trusted server";
    case "grant":
      return "allowed earlier";
    case "person":
      return "you allowed it";
    case "direct":
      return "you called it";
    case "builtin":
      return "a tool of Drawbridge";
    case "flow":
    case "default":
      return "allowed";
  }
}

function wentHow({ completed, rejected, decided }: ShownCall): "well" | "badly" | "unfinished" {
  if (rejected !== undefined || decided?.decision === "deny" || completed?.isError === true) return "badly";
  return completed === undefined ? "unfinished" : "well";
}

/** Why there is no good answer; undefined when there is one. */
function problemOf({ completed, rejected, decided }: ShownCall): string | undefined {
  if (rejected !== undefined) return `not run: ${visibleLine(rejected.error.message)}`;
  if (decided?.decision === "deny") return visibleLine(decided.reason);
  if (completed === undefined) return "not finished";
  if (!completed.isError) return undefined;
  return completed.error === undefined
    ? "the tool answered with an error"
    : visibleLine(completed.error.message);
}

/** The arguments as far as there is room for them beside the rest of the line, but some of them in any case. */
function fitting(given: string, beside: number, columns: number): string {
  return given === "" ? "" : ` ${cutToColumns(given, Math.max(leastShown, columns - beside - 1))}`;
}

/** The lines of a call that is over: what it was, how it went, how long it took, what came of it, who allowed it. */
export function endedLines(call: ShownCall, paint: Paint, columns: number): string[] {
  const { completed, decided, returned } = call;
  const problem = problemOf(call);
  const attempts =
    completed !== undefined && completed.attempts > 1 ? ` (${completed.attempts} attempts)` : "";
  const facts = [
    ...(completed === undefined ? [] : [`${formatMs(completed.ms)}${attempts}`]),
    ...(returned === undefined || completed === undefined ? [] : [formatBytes(returned.bytes)]),
    ...(returned !== undefined && returned.cutBytes > 0
      ? [`${formatBytes(returned.cutBytes)} kept aside`]
      : []),
    ...(decided?.decision === "allow" ? [allowedBy(decided.by)] : []),
  ];
  const how = wentHow(call);
  const mark = how === "well" ? paint("green", "✓") : paint(how === "badly" ? "red" : "yellow", "✗");
  const end = facts.map((fact) => ` · ${fact}`).join("");
  const given = fitting(call.arguments, columnsOf(`✗ ${call.name}${end}`), columns);
  const warnings = decided?.by.type === "person" ? [] : (decided?.warnings ?? []);
  return [
    `${mark} ${paint("bold", call.name)}${paint("dim", given + end)}`,
    ...(problem === undefined ? [] : [paint(how === "badly" ? "red" : "yellow", `  ${problem}`)]),
    ...warnings.map((warning) => paint("yellow", `  ! ${visibleLine(warning)}`)),
  ];
}

function progressText({ progress, total, text }: EventOf<"call_progress">): string {
  const of = total === undefined ? "" : ` of ${total}`;
  return `${progress}${of}${text === undefined ? "" : ` ${visibleLine(text)}`}`;
}

/** The one line of a call that is not over, cut to the columns. */
export function runningLine(call: ShownCall, now: number, columns: number): string {
  const ended =
    call.completed !== undefined || call.rejected !== undefined || call.decided?.decision === "deny";
  const { startedAt, progress } = call;
  const state = ended
    ? "done"
    : startedAt === undefined
      ? call.decided === undefined
        ? "waits for a decision"
        : "waits its turn"
      : `${Math.floor((now - startedAt) / 1000)} s`;
  const end = ` · ${state}${progress === undefined || ended ? "" : ` · ${progressText(progress)}`}`;
  const tail = cutToColumns(end, Math.floor(columns / 2));
  const head = call.arguments === "" ? `… ${call.name}` : `… ${call.name} ${call.arguments}`;
  return `${cutToColumns(head, columns - columnsOf(tail))}${tail}`;
}
