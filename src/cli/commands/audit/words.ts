import type { AuditEntry } from "../../../types/audit.ts";
import type { DecisionSource } from "../../../types/outcome.ts";
import { visibleLine } from "../../../util/visible.ts";
import { formatBytes, formatMs } from "../../terminal/units.ts";

/** Who or what decided, in a few words. */
export function sourceText(by: DecisionSource): string {
  switch (by.type) {
    case "rule":
      return `the ${by.tier === "user" ? "person's" : `${visibleLine(by.tier)}'s`} rule "${visibleLine(by.rule)}"`;
    case "hint":
      return `the server's ${visibleLine(by.hint)}`;
    case "grant":
      return `grant ${visibleLine(by.id)}`;
    case "person":
      return visibleLine(by.principal);
    case "builtin":
      return "Drawbridge: a tool of its own";
    case "direct":
      return "whoever typed the call";
    case "flow":
      return `what the run had read (${visibleLine(by.flow)})`;
    case "default":
      return "no rule covers it";
    default:
      return "something this version does not know";
  }
}

const executedWords: Readonly<Record<string, string>> = {
  no: "it did not run",
  maybe: "it may have run",
  yes: "it ran",
};

/** How a call ended. */
export function outcomeText(settled: Extract<AuditEntry, { kind: "call_settled" }>): string {
  const time = formatMs(settled.ms);
  if (settled.outcome === "answered") return `answered after ${time}, ${formatBytes(settled.bytesIn)}`;
  if (settled.outcome === "error_result")
    return `answered with an error after ${time}, ${formatBytes(settled.bytesIn)}`;
  const ran = executedWords[settled.executed] ?? "";
  return `failed after ${time}: ${visibleLine(settled.code ?? "unknown")}, ${ran}`;
}

/** `2026-11-30 08:33:00Z` */
export function timeText(at: string): string {
  return visibleLine(at.replace("T", " ").replace(/\.\d+/, ""));
}
