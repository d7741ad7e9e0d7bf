import { HostError } from "../../errors.ts";
import type { ServerDrift } from "../../types/drift.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { exitCodes } from "../exit-code.ts";
import { awaitServer, type OneServer, openOneServer } from "../one-server.ts";
import { driftLines, toolDriftLines } from "../show/drift-lines.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../terminal/units.ts";

export interface PinCommand extends OneServer {
  /** Without a question. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Shows how a server's tools differ from what they were, and takes them as they are once the person says so. */
export async function pinTools(
  command: PinCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { host, server } = await openOneServer(command, terminal, interrupt);
  try {
    await awaitServer(host, { ...command, server }, terminal, interrupt);
    const { signal } = interrupt;
    const [reviewed] = await host.drift({ server, signal });
    if (reviewed === undefined)
      throw new HostError("server_unknown", `Server "${visibleLine(server)}" is down.`);
    for (const line of reviewLines(reviewed)) terminal.line(line);
    if (!(await isAccepted(reviewed, command, terminal, interrupt))) {
      if (interrupt.exitCode() === undefined) terminal.line("Nothing was accepted.");
      return interrupt.exitCode() ?? exitCodes.failed;
    }
    const accepted = await host.acceptDrift(server, { reviewed, signal });
    process.stdout.write(
      command.json ? `${visibleLine(JSON.stringify(accepted))}\n` : `${doneText(accepted)}\n`,
    );
    return exitCodes.answered;
  } finally {
    await closeHost(host, terminal);
  }
}

function reviewLines(drift: ServerDrift): string[] {
  if (drift.problem !== undefined) return driftLines(drift);
  return drift.tools.flatMap((tool) => toolDriftLines(drift.server, tool));
}

async function isAccepted(
  { server, tools, problem }: ServerDrift,
  command: PinCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<boolean> {
  if (command.yes || (tools.length === 0 && problem === undefined)) return true;
  if (!canAsk()) {
    throw new HostError(
      "config_invalid",
      "Nobody can be asked here. If you accept what is shown above: add --yes.",
    );
  }
  const what = problem === undefined ? count(tools.length, "difference") : "all tools as they are now";
  const text = `Accept ${what} of ${visibleLine(JSON.stringify(server))}?`;
  return (await askYesNo({ text, yes: "accept", no: "not now" }, terminal, interrupt)) === true;
}

function doneText({ server, drift, tools }: ServerDrift): string {
  const name = visibleLine(JSON.stringify(server));
  const done = `Accepted ${count(tools.length, "difference")} of server ${name}.`;
  return drift === "block" ? `${done} Its tools are pinned as they are now.` : done;
}
