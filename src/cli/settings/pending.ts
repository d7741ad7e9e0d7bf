import { HostError } from "../../errors.ts";
import type { Agreements, ConfiguredServer, LoadedConfig } from "../../types/settings.ts";
import { visibleLine } from "../../util/visible.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { markedRows } from "../terminal/marked-rows.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { changedLine, heldLine, packageLine, serverLines, trustCommand } from "./server-lines.ts";
import { originText } from "./written.ts";

/** Whether the person agrees to start a server; null when they left the question. */
export type AskToStart = (server: ConfiguredServer) => Promise<boolean | null>;

interface PendingContext {
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
  readonly agreements: Agreements;
  /** Null where nobody can be asked. */
  readonly ask: AskToStart | null;
}

/** Shows everything about a server that is about to be agreed to. */
export async function showServer(
  server: ConfiguredServer,
  loaded: LoadedConfig,
  { terminal, interrupt, agreements }: Omit<PendingContext, "ask">,
): Promise<void> {
  terminal.waitFor("the version of its package");
  const version = await packageLine(server, interrupt.signal);
  terminal.waitFor(null);
  // Broken between words, where a terminal would break them anywhere: what is agreed to is read.
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  const say = (line: string) => terminal.line(markedRows(line, columns));
  for (const line of serverLines(server, terminal.paint, columns)) terminal.line(line);
  const changed = changedLine(server, await agreements.list());
  const { allowRulesOf } = await import("../../index.ts");
  const held = heldLine(
    allowRulesOf(loaded, server.id),
    loaded.trust.find(({ value }) => value === server.id),
  );
  for (const line of [changed, version, held]) {
    if (line !== undefined) say(terminal.paint("yellow", line));
  }
}

/** One that waits and cannot be started anyway is told as that. */
const isToBeAsked = ({ pending, disabled, problem, config }: ConfiguredServer): boolean =>
  pending && !disabled && (problem === undefined || config.required !== false);

/** That a server is not started, why, and the line to type. */
function pendingText(server: ConfiguredServer): string {
  const name = visibleLine(JSON.stringify(server.id));
  return `Server ${name} (${originText(server.origin)}) is not started: nobody agreed to it yet. To see what it starts, and agree: ${trustCommand(server.id)}`;
}

/**
 * Asks about every pending server, one after the other. One that is agreed to is pending no more; one that is not stays
 * out of this command.
 * @throws HostError `server_pending` where nobody can be asked and the server is required; `aborted` when the question
 * was left
 */
export async function settlePending(loaded: LoadedConfig, context: PendingContext): Promise<LoadedConfig> {
  const pending = loaded.servers.filter(isToBeAsked);
  for (const { problem, config } of pending) {
    if (problem !== undefined && config.required !== false) throw new HostError("config_invalid", problem);
  }
  if (pending.length === 0) return loaded;
  const { ask, terminal } = context;
  if (ask === null) {
    refuseRequired(pending, terminal);
    return loaded;
  }
  const agreed = new Set<string>();
  for (const server of pending) {
    await showServer(server, loaded, context);
    const answer = await ask(server);
    if (answer === null) throw new HostError("aborted", "Left before every server was agreed to.");
    if (answer) {
      await context.agreements.agree(server);
      agreed.add(server.id);
    } else {
      terminal.line(terminal.paint("yellow", `! ${visibleLine(server.id)} is left out this time.`));
    }
  }
  return {
    ...loaded,
    servers: loaded.servers.map((server) => (agreed.has(server.id) ? { ...server, pending: false } : server)),
  };
}

/** One line for each server; the last of them is the error's. */
function refuseRequired(pending: readonly ConfiguredServer[], terminal: Terminal): void {
  const required = pending.filter(({ config }) => config.required !== false);
  const [first] = required;
  const only = required.length === 1 ? first : undefined;
  for (const server of pending) {
    if (server !== only) terminal.line(terminal.paint("yellow", `! ${pendingText(server)}`));
  }
  if (only !== undefined)
    throw new HostError("server_pending", pendingText(only), { data: { server: only.id } });
  if (first !== undefined) {
    const message = `${required.length} required servers wait for your agreement: type the lines above.`;
    throw new HostError("server_pending", message);
  }
}

/** The question at the terminal. */
export function askAtTerminal(terminal: Terminal, interrupt: Interrupt): AskToStart {
  return (server) => {
    const text = `Start ${visibleLine(JSON.stringify(server.id))} on this computer?`;
    const yes = "start it, now and from now on, as long as nothing of this changes";
    return askYesNo({ text, yes, no: "not now" }, terminal, interrupt);
  };
}
