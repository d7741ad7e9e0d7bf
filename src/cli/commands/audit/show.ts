import { HostError } from "../../../errors.ts";
import type { AuditFinding, AuditRecord, LogOpened } from "../../../index.ts";
import { visibleLine, visibleText } from "../../../util/visible.ts";
import { exitCodes } from "../../exit-code.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { formatMs } from "../../terminal/units.ts";
import { describeAsked } from "./asked.ts";
import { outcomeText, sourceText, timeText } from "./words.ts";

export interface AuditShowCommand {
  /** The id of a run or a call, `SEQ`, or `FILE:SEQ`. */
  readonly selector: string;
  readonly json: boolean;
}

/** Prints every record of one run or call. */
export async function showAudit({ selector, json }: AuditShowCommand): Promise<number> {
  const library = await import("../../../index.ts");
  const finding = await library.findAudit(selector);
  if (finding === null) {
    const name = visibleLine(selector.slice(0, 100));
    throw new HostError(
      "config_invalid",
      `The audit log has no run, call or record "${name}". drawbridge audit list shows what there is.`,
    );
  }
  const lines = json
    ? [visibleLine(JSON.stringify(finding))]
    : findingLines(finding, paintFor(process.stdout));
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

type Rows = readonly (readonly [label: string, text: string])[];

/** The records, each with its place, its time and what it says, escaped. */
export function findingLines({ principal, records }: AuditFinding, paint: Paint): string[] {
  const [first] = records;
  const head =
    first === undefined ? [] : [`File ${visibleLine(first.file)}.jsonl, of ${visibleLine(principal)}`];
  return [...head, ...records.flatMap((record) => ["", ...recordLines(record, paint)])];
}

function recordLines({ seq, at, entry, intact }: AuditRecord, paint: Paint): string[] {
  const [title, rows] = describe(entry);
  const shown = rows.map(([label, text]) => {
    const lines = text.split("\n");
    return `  ${paint("dim", label.padEnd(labelWidth))} ${lines.join(`\n  ${" ".repeat(labelWidth)} `)}`;
  });
  return [
    `${paint("bold", `${seq}  ${title}`)}  ${paint("dim", timeText(at))}`,
    ...(intact ? [] : [paint("red", "  ✗ This record was changed: its hash does not match its text.")]),
    ...shown,
  ];
}

const labelWidth = 10;

function describe(entry: AuditRecord["entry"]): readonly [title: string, rows: Rows] {
  switch (entry.kind) {
    case "log_opened":
      return [
        "Log opened",
        [["principal", visibleLine(entry.principal)], ["process", String(entry.pid)], ...openingRows(entry)],
      ];
    case "run_started":
      return [
        `Run ${visibleLine(entry.run)} started`,
        [
          ["principal", visibleLine(entry.principal)],
          ["model", visibleLine(entry.model)],
        ],
      ];
    case "call_intended":
      return [
        `${toolText(entry)} allowed`,
        [...callRows(entry), ["attempt", String(entry.attempt)], ...hashRows(entry)],
      ];
    case "call_denied":
      return [
        `${toolText(entry)} denied`,
        [
          ...callRows(entry),
          ...(entry.unasked ? ([["asked", "nobody could be asked"]] as const) : []),
          ...hashRows(entry),
        ],
      ];
    case "call_settled":
      return [
        `${toolText(entry)} ended`,
        [["call", idText(entry)], ["outcome", outcomeText(entry)], ...labelRows(entry)],
      ];
    case "call_rejected":
      return [
        `${visibleLine(entry.alias)} rejected`,
        [
          ["call", idText(entry)],
          ["code", visibleLine(entry.code)],
          ["reason", visibleLine(entry.reason)],
          ...hashRows(entry),
        ],
      ];
    case "results_returned":
      return ["Results returned", entry.results.map(returnedRow)];
    case "elicitation_asked":
    case "elicitation_answered":
    case "sampling_decided":
    case "sampling_answered":
      return describeAsked(entry);
    case "run_ended":
      return [`Run ${visibleLine(entry.run)} ended`, endRows(entry)];
  }
}

const toolText = (tool: { readonly server: string; readonly tool: string }): string =>
  `${visibleLine(tool.server)}/${visibleLine(tool.tool)}`;

const idText = (entry: { readonly run: string; readonly turn: number; readonly call: string }): string =>
  `${visibleLine(entry.call)} of ${visibleLine(entry.run)}, turn ${entry.turn}`;

/** What the first record of a file says beside who writes it. */
function openingRows({ follows, found, lost }: LogOpened): Rows {
  const rows: [string, string][] = [];
  if (follows) rows.push(["follows", `record ${follows.seq} of ${visibleLine(follows.file)}.jsonl`]);
  if (found) rows.push(["found", `from record ${found.firstBadSeq} on: ${visibleLine(found.problem)}`]);
  if (lost) rows.push(["lost", `${lost.entries} entries before it: ${visibleLine(lost.reason)}`]);
  return rows;
}

/** Records of earlier versions have none. */
function hashRows(entry: { readonly definitionHash?: string; readonly configHash?: string }): Rows {
  const { definitionHash, configHash } = entry;
  return [
    ...(definitionHash === undefined ? [] : ([["definition", visibleLine(definitionHash)]] as const)),
    ...(configHash === undefined ? [] : ([["config", visibleLine(configHash)]] as const)),
  ];
}

type Decided = Extract<AuditRecord["entry"], { kind: "call_intended" | "call_denied" }>;

function callRows(entry: Decided): [string, string][] {
  const waited = entry.waitedMs > 0 ? `, after ${formatMs(entry.waitedMs)} of waiting for a person` : "";
  return [
    ["call", idText(entry)],
    ["alias", visibleLine(entry.alias)],
    ["arguments", argumentsText(entry.arguments)],
    ["by", `${sourceText(entry.by)}${waited}`],
    ["reason", visibleLine(entry.reason)],
    ["full hash", visibleLine(entry.argumentsHash)],
  ];
}

function argumentsText(value: Decided["arguments"]): string {
  return value === null ? "only their hash is kept" : visibleText(JSON.stringify(value, null, 2));
}

function endRows({ stop, turns }: Extract<AuditRecord["entry"], { kind: "run_ended" }>): Rows {
  return [
    ["stop", visibleLine(stop)],
    ["turns", String(turns)],
  ];
}

function returnedRow(result: {
  readonly call: string;
  readonly bytesKept: number;
  readonly bytesCut: number;
}): readonly [string, string] {
  const cut = result.bytesCut > 0 ? `, ${result.bytesCut} B kept aside` : "";
  return ["call", `${visibleLine(result.call)}: ${result.bytesKept} B${cut}`];
}

function labelRows({ labels }: Extract<AuditRecord["entry"], { kind: "call_settled" }>): Rows {
  if (labels === undefined) return [];
  const words = [
    ...(labels.trusted ? [] : ["untrusted server"]),
    ...(labels.openWorld ? ["from outside"] : []),
    ...(labels.private ? ["private"] : []),
  ];
  return [["content", words.length === 0 ? "trusted" : words.join(", ")]];
}
