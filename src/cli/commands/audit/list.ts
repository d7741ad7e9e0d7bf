import type { AuditedCall } from "../../../index.ts";
import { visibleLine } from "../../../util/visible.ts";
import { exitCodes } from "../../exit-code.ts";
import type { Interrupt } from "../../terminal/interrupt.ts";
import { createPacedOutput } from "../../terminal/output-lines.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { count } from "../../terminal/units.ts";
import { type AuditFilters, queryOf } from "./filters.ts";
import { outcomeText, sourceText, timeText } from "./words.ts";

export interface AuditListCommand extends AuditFilters {
  /** Most calls. Default: 20. */
  readonly limit?: number;
  readonly json: boolean;
}

const usualLimit = 20;
/** The line is an overview: the whole arguments are in `audit show`. */
const argumentsShown = 100;

/** Prints the calls of the audit log, the newest first. */
export async function listAudit(
  command: AuditListCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { limit = usualLimit, json, ...filters } = command;
  const query = queryOf(filters);
  const library = await import("../../../index.ts");
  const calls = library.auditedCalls(query);
  const output = createPacedOutput(process.stdout);
  const paint = paintFor(process.stdout);
  let shown = 0;
  let more = false;
  if (json) await output.write("[");
  terminal.waitFor("the audit log");
  for await (const call of calls) {
    if (interrupt.signal.aborted || output.gone.aborted) break;
    more = shown === limit;
    if (more) break;
    const lines = () => callLines(call, paint).map((line) => `${line}\n`);
    await output.write(
      json ? `${shown === 0 ? "" : ",\n"}${visibleLine(JSON.stringify(call))}` : lines().join(""),
    );
    shown += 1;
  }
  terminal.waitFor(null);
  if (json) await output.write("]\n");
  else if (shown === 0) await output.write("No such call in the audit log.\n");
  if (more) terminal.line(terminal.paint("dim", `The newest ${count(shown, "call")}; --limit N shows more.`));
  return interrupt.exitCode() ?? exitCodes.answered;
}

/** One call on two lines: when and what; who decided, what came of it, and how to see it whole. */
export function callLines(call: AuditedCall, paint: Paint): string[] {
  const { decided } = call;
  const what =
    decided.kind === "call_rejected"
      ? visibleLine(decided.alias)
      : `${visibleLine(decided.server)}/${visibleLine(decided.tool)} ${argumentsText(decided.arguments)}`;
  const facts = [...decisionTexts(call), `show: ${showName(call)}`];
  const changed = call.intact ? [] : [paint("red", "    ✗ this record was changed: its hash does not match")];
  return [
    `${paint("dim", timeText(call.at))} ${markOf(call, paint)} ${what}`,
    paint("dim", `    ${facts.join("; ")}`),
    ...changed,
  ];
}

function markOf({ decided, settled }: AuditedCall, paint: Paint): string {
  if (decided.kind !== "call_intended") return paint("yellow", "-");
  if (settled === null) return paint("yellow", "?");
  return settled.outcome === "answered" ? paint("green", "✓") : paint("red", "✗");
}

function decisionTexts({ decided, settled, returned }: AuditedCall): string[] {
  if (decided.kind === "call_rejected") return [`not run: ${visibleLine(decided.reason)}`];
  if (decided.kind === "call_denied") return [`denied: ${visibleLine(decided.reason)}`];
  const ended = settled === null ? "no outcome recorded" : outcomeText(settled);
  const cut = returned !== null && returned.bytesCut > 0 ? [`${returned.bytesCut} B kept aside`] : [];
  const attempt = decided.attempt > 1 ? [`attempt ${decided.attempt}`] : [];
  return [`allowed by ${sourceText(decided.by)}`, ...attempt, ended, ...cut];
}

/**
 * What `audit show` finds this very call by. Ids of calls are a model's: those of two runs may be the same. What was typed or
 * read has a run of its own.
 */
function showName({ decided: { run }, file, seq }: AuditedCall): string {
  const isOwn = !run.startsWith("run_") && /^[\w-]{1,64}$/.test(run);
  return isOwn ? run : `${file}:${seq}`;
}

function argumentsText(value: unknown): string {
  if (value === null) return "(only the hash of its arguments is kept)";
  const text = JSON.stringify(value);
  const shown = visibleLine(text.slice(0, argumentsShown));
  return text.length <= argumentsShown
    ? shown
    : `${shown}… (${text.length - argumentsShown} more characters)`;
}
