import type { Approver } from "../../../types/approval.ts";
import type { HostOptions } from "../../../types/config.ts";
import type { PolicyExplanation, RunReads } from "../../../types/policy.ts";
import type { LoadedConfig } from "../../../types/settings.ts";
import { visibleLine } from "../../../util/visible.ts";
import { closeHost } from "../../close.ts";
import { exitCodes } from "../../exit-code.ts";
import type { HostFlags } from "../../host-flags.ts";
import { awaitServer, openOneServer } from "../../one-server.ts";
import { knownServer, loadSettings } from "../../settings.ts";
import type { Interrupt } from "../../terminal/interrupt.ts";
import { paintFor } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { readArguments } from "../call/arguments.ts";
import { noSuchTool } from "../call/no-such-tool.ts";
import { readText } from "../call/read-text.ts";
import { explanationLines, withOrigins } from "./explanation-lines.ts";

export interface PolicyExplainCommand {
  readonly server: string;
  readonly tool: string;
  /** As of `drawbridge call`. */
  readonly args: readonly string[];
  readonly headless: boolean;
  readonly reads: Pick<RunReads, "untrusted" | "private">;
  readonly offline: boolean;
  readonly json: boolean;
  readonly flags: HostFlags;
}

interface Explained {
  readonly server: string;
  readonly loaded: LoadedConfig;
  readonly explanation: PolicyExplanation;
  /** Why the model does not get the tool at all, where it does not. */
  readonly keptBack?: string;
}

/** Says how a call of the model would be decided, and why; nothing is called, asked or recorded. */
export async function explainPolicy(
  command: PolicyExplainCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const explained = command.offline
    ? await explainUnconnected(command, terminal)
    : await explainConnected(command, terminal, interrupt);
  const { server, explanation, loaded, keptBack } = explained;
  const { tool, headless } = command;
  const asked = { server, tool, headless, ...(keptBack === undefined ? {} : { keptBack }) };
  const found = withOrigins(explanation, loaded);
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  const lines = command.json
    ? [visibleLine(JSON.stringify({ ...asked, ...found }))]
    : explanationLines(asked, found, paintFor(process.stdout), columns);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return interrupt.exitCode() ?? exitCodes.answered;
}

/** What stands for a person who can be asked: a call is explained and never asked about. */
const nobody: Approver = () => Promise.reject(new Error("nothing is asked here"));

const modeOf = ({ headless }: PolicyExplainCommand): Pick<HostOptions, "approve"> =>
  headless ? {} : { approve: nobody };

async function explainConnected(
  command: PolicyExplainCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<Explained> {
  const { tool, reads } = command;
  const more = { ...modeOf(command), audit: false } as const;
  const { host, server, loaded } = await openOneServer(command, terminal, interrupt, more);
  try {
    const snapshot = await awaitServer(host, { ...command, server }, terminal, interrupt);
    // A tool that is kept from the model is explained too.
    const known = snapshot.tools.find(({ route }) => route.server === server && route.tool === tool);
    const kept = snapshot.quarantined.find((one) => one.server === server && one.tool === tool);
    if (known === undefined && kept === undefined) throw noSuchTool(server, tool, snapshot);
    const args = await readArguments(command.args, known?.definition.inputSchema ?? {}, readText);
    const explanation = await host.explain(server, tool, args, { reads, signal: interrupt.signal });
    const keptBack = kept === undefined ? {} : { keptBack: kept.reason };
    return { server, loaded, explanation, ...keptBack };
  } finally {
    await closeHost(host, terminal);
  }
}

async function explainUnconnected(command: PolicyExplainCommand, terminal: Terminal): Promise<Explained> {
  const library = await import("../../../index.ts");
  const loaded = await loadSettings(command.flags, library, terminal);
  const server = knownServer(command.server, loaded);
  const only = loaded.servers.filter(({ id }) => id === server);
  // Whoever only looks needs nobody's agreement, and a disabled server has rules too.
  const looked = only.map((one) => ({ ...one, disabled: false, pending: false }));
  const options = { ...library.hostOptions({ ...loaded, servers: looked }), ...modeOf(command) };
  const args = await readArguments(command.args, {}, readText);
  const { tool, reads } = command;
  const explanation = await library.explainOffline(options, server, tool, args, { reads });
  return { server, loaded, explanation };
}
