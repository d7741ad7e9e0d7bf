import { HostError } from "../errors.ts";
import type { HostOptions } from "../types/config.ts";
import type { Elicitor } from "../types/elicitation.ts";
import type { Host } from "../types/host.ts";
import type { LoadedConfig } from "../types/settings.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { own } from "../util/own.ts";
import { visibleLine } from "../util/visible.ts";
import { createQueue } from "./approve.ts";
import { createTerminalElicitor, type ElicitorParts } from "./elicit.ts";
import type { HostFlags } from "./host-flags.ts";
import { disabledText } from "./settings/merge.ts";
import { knownServer, openSettings } from "./settings.ts";
import { serverLine } from "./show/render-events.ts";
import { canAsk } from "./terminal/can-ask.ts";
import type { Interrupt } from "./terminal/interrupt.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command with one server was typed with. */
export interface OneServer {
  readonly server: string;
  readonly flags: HostFlags;
}

const wholeAnswer = 1_000_000_000;

/** A host, and the id of its one server, which may have been typed as it is shown. */
interface OpenedServer {
  readonly host: Host;
  readonly server: string;
  readonly loaded: LoadedConfig;
}

/**
 * A host of the one server that a command needs, without a model.
 * @throws HostError `server_unknown`, `config_invalid`, `server_pending`: nothing was done
 */
export async function openOneServer(
  { server: typed, flags }: OneServer,
  terminal: Terminal,
  interrupt: Interrupt,
  more: Pick<HostOptions, "approve" | "audit"> = {},
): Promise<OpenedServer> {
  const { options, loaded } = await openSettings(flags, {
    terminal,
    interrupt,
    canAsk: canAsk(),
    only: (all) => [knownServer(typed, all)],
    // Its end is told here, with its last words on lines of their own.
    required: false,
  });
  const server = knownServer(typed, loaded);
  const library = await import("../index.ts");
  const config = own(options.servers, server);
  if (config === undefined) throw notStarted(server, loaded);
  const { timeoutMs: timeout } = flags;
  const elicit = canAsk() ? elicitorOf(terminal, interrupt, library.checkElicitation) : undefined;
  const host = library.createHost({
    ...options,
    ...more,
    ...(elicit === undefined ? {} : { elicit }),
    servers: { [server]: timeout === undefined ? config : { ...config, timeout } },
    // No model is asked, and a person reads the whole answer.
    model: "offline",
    limits: { ...options.limits, outputTokensPerResult: wholeAnswer, outputTokensPerTurn: wholeAnswer },
  });
  return { host, server, loaded };
}

/** Asks the person who typed the command, where the server needs something before it goes on. */
function elicitorOf(
  terminal: Terminal,
  { interrupt }: Interrupt,
  checkElicitation: ElicitorParts["checkElicitation"],
): Elicitor {
  const { stdin: input, stderr: output } = process;
  return createTerminalElicitor({ terminal, input, output, interrupt, checkElicitation }, createQueue());
}

/** Why a server that is configured was left out. */
function notStarted(id: string, loaded: LoadedConfig): HostError {
  const server = loaded.servers.find((candidate) => candidate.id === id);
  const name = visibleLine(id);
  if (server?.disabled) return new HostError("config_invalid", disabledText(server));
  if (server?.problem !== undefined) {
    return new HostError("config_invalid", `Server "${name}" cannot be started, so nothing was called.`);
  }
  return new HostError("server_pending", `Server "${name}" was not agreed to, so nothing was called.`);
}

/**
 * Waits until the server is up; gives its tools.
 * @throws HostError `server_start_failed`, after its last words were printed
 */
export async function awaitServer(
  host: Host,
  { server }: OneServer,
  terminal: Terminal,
  { signal }: Interrupt,
): Promise<ToolSnapshot> {
  terminal.waitFor("the server");
  const snapshot = await host.tools({ signal });
  terminal.waitFor(null);
  for (const status of host.status()) {
    if (status.state !== "failed") continue;
    terminal.line(serverLine(status, terminal.paint) ?? "");
    const message = `Server "${visibleLine(server)}" is down, so nothing was called.`;
    throw new HostError("server_start_failed", message);
  }
  return snapshot;
}
