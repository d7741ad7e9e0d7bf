import { HostError } from "../../errors.ts";
import type { PurgeReport, StoredConversation } from "../../index.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../terminal/units.ts";

export interface PurgeCommand {
  /** Which conversations: these ids, those that are older, or all. */
  readonly which:
    | { readonly ids: readonly string[] }
    | { readonly olderThanDays: number }
    | { readonly all: true };
  readonly dryRun: boolean;
  /** Does not ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Conversations that are shown before they go. */
const mostShown = 10;

/** Removes stored conversations of this account, after a yes. */
export async function purge(
  command: PurgeCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { listConversations, purgeConversations } = await import("../../index.ts");
  const planned = await purgeConversations({ ...command.which, dryRun: true });
  if (command.dryRun || planned.removed.length === 0) return tell(planned, command, terminal);
  if (!command.yes) {
    if (!canAsk()) {
      throw new HostError(
        "config_invalid",
        `This would remove ${conversations(planned.removed)} for good, and nobody can be asked here: add --yes.`,
      );
    }
    const known = await listConversations({ limit: Number.POSITIVE_INFINITY });
    for (const line of plannedLines(planned, known)) terminal.line(line);
    const text = `Remove ${conversations(planned.removed)} for good?`;
    if (!(await askYesNo({ text, yes: "remove", no: "keep" }, terminal, interrupt))) {
      terminal.line("Nothing was removed.");
      return interrupt.exitCode() ?? exitCodes.failed;
    }
  }
  // Exactly what was shown, whatever came to be meanwhile.
  const report = await purgeConversations({ ids: planned.removed });
  return tell(
    { ...report, missing: planned.missing, inUse: [...planned.inUse, ...report.inUse] },
    command,
    terminal,
  );
}

function conversations(ids: readonly string[]): string {
  return count(ids.length, "conversation");
}

export function plannedLines({ removed }: PurgeReport, known: readonly StoredConversation[]): string[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  const lines = removed.slice(0, mostShown).map((id) => {
    const { lastAt, question } = byId.get(id) ?? { lastAt: "", question: "" };
    const short = question.length > 60 ? `${question.slice(0, 59)}…` : question;
    return visibleLine(`  ${id}  ${lastAt.slice(0, 10)}  ${short}`.trimEnd());
  });
  const more = removed.length - mostShown;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

function tell(report: PurgeReport, { json, dryRun }: PurgeCommand, terminal: Terminal): number {
  if (json) process.stdout.write(`${visibleLine(JSON.stringify({ dryRun, ...report }))}\n`);
  else process.stdout.write(`${dryRun ? "Would remove" : "Removed"} ${conversations(report.removed)}.\n`);
  for (const id of report.inUse) {
    terminal.line(
      terminal.paint("yellow", `! ${visibleLine(id)} is being written by another process: it stays.`),
    );
  }
  for (const id of report.missing) {
    terminal.line(terminal.paint("red", `✗ There is no stored conversation ${visibleLine(id)} of yours.`));
  }
  return report.missing.length > 0 ? exitCodes.failed : exitCodes.answered;
}
