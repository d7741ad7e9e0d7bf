import { visibleLine } from "../../../util/visible.ts";
import { exitCodes, readerGone } from "../../exit-code.ts";
import type { Interrupt } from "../../terminal/interrupt.ts";
import { createPacedOutput } from "../../terminal/output-lines.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { csvHeader, csvRow } from "./csv.ts";
import { type AuditFilters, queryOf } from "./filters.ts";

export interface AuditExportCommand extends AuditFilters {
  readonly format: "jsonl" | "csv";
}

/** Writes every call that is wanted, the newest first, as it is read: the log may be longer than memory. */
export async function exportAudit(
  { format, ...filters }: AuditExportCommand,
  _terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const query = queryOf(filters);
  const library = await import("../../../index.ts");
  const output = createPacedOutput(process.stdout);
  if (format === "csv") await output.write(csvHeader());
  for await (const call of library.auditedCalls(query)) {
    if (interrupt.signal.aborted || output.gone.aborted) break;
    // The escapes of JSON and of `visibleLine` are the same: the document keeps its value.
    await output.write(format === "csv" ? csvRow(call) : `${visibleLine(JSON.stringify(call))}\n`);
  }
  return interrupt.exitCode() ?? (output.gone.aborted ? readerGone : exitCodes.answered);
}
