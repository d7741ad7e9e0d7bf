import { visibleLine } from "../../../util/visible.ts";
import { exitCodes } from "../../exit-code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { count } from "../../terminal/units.ts";

/** Prints the newest record of each file of the audit log, for keeping elsewhere. */
export async function printHeads(_command: object, terminal: Terminal): Promise<number> {
  const library = await import("../../../index.ts");
  const heads = await library.auditHeads();
  process.stdout.write(heads.map((head) => `${visibleLine(JSON.stringify(head))}\n`).join(""));
  const said = heads.length === 0 ? "There is no audit log yet." : `${count(heads.length, "head")}.`;
  terminal.line(terminal.paint("dim", said));
  return exitCodes.answered;
}
