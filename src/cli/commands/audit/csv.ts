import type { AuditedCall } from "../../../index.ts";
import { visibleLine } from "../../../util/visible.ts";

type Cell = string | number | boolean | null | undefined;

/** What a spreadsheet would take for a formula, or pass over on the way to one. */
const formulaStart = /^[=+\-@\t\r\n]/;

/**
 * One cell as RFC 4180 has it. A text that a spreadsheet would calculate gets a quote in front; control characters
 * are written as escapes.
 */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const shown = `${formulaStart.test(value) ? "'" : ""}${visibleLine(value)}`;
  return /[",]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Columns and what stands in them. */
const columns: readonly (readonly [name: string, cell: (call: AuditedCall) => Cell])[] = [
  ["time", ({ at }) => at],
  ["file", ({ file }) => file],
  ["record", ({ seq }) => seq],
  ["intact", ({ intact }) => intact],
  ["principal", ({ principal }) => principal],
  ["run", ({ decided }) => decided.run],
  ["turn", ({ decided }) => decided.turn],
  ["call", ({ decided }) => decided.call],
  ["server", ({ decided }) => decided.server],
  ["tool", ({ decided }) => decided.tool],
  ["alias", ({ decided }) => decided.alias],
  ["method", ({ decided }) => (decided.kind === "call_rejected" ? null : decided.method)],
  ["decision", ({ decided }) => decisions[decided.kind]],
  ["decided_by", ({ decided }) => (decided.kind === "call_rejected" ? null : decided.by.type)],
  ["by", ({ decided }) => (decided.kind === "call_rejected" ? null : sourceCell(decided.by))],
  ["reason", ({ decided }) => decided.reason],
  ["waited_ms", ({ decided }) => (decided.kind === "call_rejected" ? null : decided.waitedMs)],
  ["arguments", ({ decided }) => argumentsCell(decided)],
  ["arguments_hash", ({ decided }) => decided.argumentsHash],
  ["definition_hash", ({ decided }) => decided.definitionHash],
  ["config_hash", ({ decided }) => decided.configHash],
  ["attempt", ({ decided }) => (decided.kind === "call_intended" ? decided.attempt : null)],
  ["outcome", (call) => outcomeCell(call)],
  ["error", ({ decided, settled }) => (decided.kind === "call_rejected" ? decided.code : settled?.code)],
  ["executed", ({ settled }) => settled?.executed],
  ["duration_ms", ({ settled }) => settled?.ms],
  ["bytes_in", ({ settled }) => settled?.bytesIn],
  ["bytes_kept", ({ returned }) => returned?.bytesKept],
  ["bytes_cut", ({ returned }) => returned?.bytesCut],
];

const decisions = { call_intended: "allow", call_denied: "deny", call_rejected: "reject" } as const;

type Decided = Exclude<AuditedCall["decided"], { kind: "call_rejected" }>;

/** The rule, the grant or the person. */
function sourceCell(by: Decided["by"]): Cell {
  switch (by.type) {
    case "rule":
      return `${by.tier}: ${by.rule}`;
    case "hint":
      return by.hint;
    case "grant":
      return by.id;
    case "person":
      return by.principal;
    default:
      return null;
  }
}

function argumentsCell(decided: AuditedCall["decided"]): Cell {
  if (decided.kind === "call_rejected" || decided.arguments === null) return null;
  return JSON.stringify(decided.arguments);
}

function outcomeCell({ decided, settled }: AuditedCall): Cell {
  if (decided.kind !== "call_intended") return "not_run";
  return settled?.outcome ?? "unknown";
}

export function csvHeader(): string {
  return csvLine(columns.map(([name]) => name));
}

export function csvRow(call: AuditedCall): string {
  return csvLine(columns.map(([, cell]) => cell(call)));
}
