import { HostError } from "../errors.ts";
import type { HostOptions } from "../types/config.ts";
import type { ConfiguredServer, LoadedConfig } from "../types/settings.ts";
import { didYouMean } from "../util/closest.ts";
import { visibleLine } from "../util/visible.ts";
import type { HostFlags } from "./host-flags.ts";
import { mergeFlags } from "./settings/merge.ts";
import { type AskToStart, askAtTerminal, settlePending } from "./settings/pending.ts";
import { readSystemText } from "./system-text.ts";
import type { Interrupt } from "./terminal/interrupt.ts";
import type { Terminal } from "./terminal/terminal.ts";

type Library = typeof import("../index.ts");

/** What the config files and the options say together. */
export interface Settings {
  /** For `createHost`. Its `approve` is the command's to add. */
  readonly options: Omit<HostOptions, "approve">;
  /** The same with the origin of every value, and with the servers that are not started. */
  readonly loaded: LoadedConfig;
}

export interface SettingsContext {
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
  /** Whether a person can be asked here: about servers of a project's file that nobody agreed to yet. */
  readonly canAsk: boolean;
  /** Takes the question's place, such as a prompt of the chat. Null: the question was left. */
  readonly ask?: AskToStart;
  /** Only these servers, whatever else is configured: nothing else is asked about or started. */
  readonly only?: (loaded: LoadedConfig) => readonly string[];
  /** False: a server that is down or pending does not end the command. Default: as the config says. */
  readonly required?: false;
  /** True: one that is pending does all the same, where nobody can be asked. */
  readonly agreed?: true;
}

/**
 * What the config files say, with the options of the command line over it. Prints what was passed over. Asks nobody,
 * starts nothing.
 * @throws HostError `config_invalid`
 */
export async function loadSettings(
  flags: HostFlags,
  library: Library,
  terminal: Terminal | null,
): Promise<LoadedConfig> {
  const loaded = await library.loadConfig(flags.config === undefined ? {} : { file: flags.config });
  for (const warning of loaded.warnings)
    terminal?.line(terminal.paint("yellow", `! ${visibleLine(warning)}`));
  for (const warning of sameLooks(loaded)) terminal?.line(terminal.paint("yellow", `! ${warning}`));
  const { system } = flags;
  const read = system === undefined ? flags : { ...flags, system: await readSystemText(system) };
  return mergeFlags(loaded, read, library);
}

/**
 * The settings of a command with a host. On a terminal the person is asked about every pending server; elsewhere a
 * required one ends the command.
 * @throws HostError `config_invalid`, `server_pending`, and `aborted` when a question was left
 */
export async function openSettings(flags: HostFlags, context: SettingsContext): Promise<Settings> {
  const { terminal, interrupt, canAsk, agreed, required } = context;
  const library = await import("../index.ts");
  const merged = narrowed(await loadSettings(flags, library, terminal), context);
  const ask = canAsk ? (context.ask ?? askAtTerminal(terminal, interrupt)) : null;
  const agreements = library.openAgreements();
  const pendingEnds = agreed === true && ask === null;
  const settled = await settlePending(pendingEnds ? merged : withRequired(merged, required), {
    terminal,
    interrupt,
    agreements,
    ask,
  });
  const loaded = withRequired(settled, required);
  sayProblems(loaded, terminal);
  const options = library.hostOptions(loaded);
  const telemetry = { exporter: "environment" } as const;
  return { options: { ...options, telemetry, ...(flags.store ? {} : { store: false }) }, loaded };
}

/** The servers that the command is about. */
function narrowed(loaded: LoadedConfig, { only }: SettingsContext): LoadedConfig {
  const ids = only?.(loaded);
  const kept = loaded.servers.filter((server) => ids === undefined || ids.includes(server.id));
  return { ...loaded, servers: kept };
}

/** The servers as the command needs them: false when it goes on without any of them. */
function withRequired(loaded: LoadedConfig, required: false | undefined): LoadedConfig {
  if (required === undefined) return loaded;
  const servers = loaded.servers.map((server) => ({ ...server, config: { ...server.config, required } }));
  return { ...loaded, servers };
}

/** Ids that are different and look the same: a command that names one of them means the one that is written so. */
function sameLooks({ servers }: LoadedConfig): string[] {
  const byLook = new Map<string, number>();
  for (const { id } of servers) byLook.set(visibleLine(id), (byLook.get(visibleLine(id)) ?? 0) + 1);
  return [...byLook].flatMap(([look, ids]) =>
    ids === 1 ? [] : [`${ids} servers have ids that are shown as "${look}": give them other names.`],
  );
}

/** A server that cannot be started and is not required is left out: the person is told why. */
function sayProblems({ servers }: LoadedConfig, terminal: Terminal): void {
  for (const { problem, disabled, config } of servers) {
    if (problem === undefined || disabled || config.required !== false) continue;
    terminal.line(terminal.paint("yellow", `! ${visibleLine(problem)}`));
  }
}

/** The server with this id, as it is or as it is shown; undefined when there is none. */
export function serverNamed(id: string, { servers }: LoadedConfig): ConfiguredServer | undefined {
  return (
    servers.find((server) => server.id === id) ?? servers.find((server) => visibleLine(server.id) === id)
  );
}

/**
 * The id of a server that was typed, maybe as it is shown.
 * @throws HostError `server_unknown`
 */
export function knownServer(typed: string, loaded: LoadedConfig): string {
  const named = serverNamed(typed, loaded);
  if (named !== undefined) return named.id;
  const ids = loaded.servers.map(({ id }) => id);
  throw noSuchServer(typed, loaded, didYouMean(typed, ids));
}

/** The error for an id that no server has: it says which there are. */
export function noSuchServer(id: string, loaded: LoadedConfig, hint: string): HostError {
  const ids = loaded.servers.map((server) => server.id);
  // An id that is no plain word, such as an empty one, stands in quotes.
  const named = ids.map((one) => (/^[\w.@-]+$/.test(one) ? one : JSON.stringify(visibleLine(one))));
  const list = ids.length === 0 ? "There are none." : `There are: ${named.join(", ")}.`;
  return new HostError("server_unknown", `There is no server "${visibleLine(id)}". ${list}${hint}`);
}
