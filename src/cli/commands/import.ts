import { HostError } from "../../errors.ts";
import type { FoundServer, FoundServers } from "../../types/found-servers.ts";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import { isOfProject } from "../found-of-project.ts";
import { addedLines, foundLines, leftOutLines, problemLines } from "../show/found-servers.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { paintFor } from "../terminal/paint.ts";
import { selectServers } from "../terminal/select-servers.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ImportCommand {
  /** Names of hosts; only their servers are listed. Empty: those of every host. */
  readonly from: readonly string[];
  /** Ids to write. */
  readonly ids: readonly string[];
  /** Write every server that is listed. */
  readonly all: boolean;
  /** Into the project's file instead of the person's own. */
  readonly project: boolean;
  /** Replace servers of the same id that are different. */
  readonly force: boolean;
  /** Say what would be written. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

type Library = typeof import("../../index.ts");

/**
 * Lists the servers in other hosts' files, and writes those that were chosen.
 * @throws HostError `config_invalid`, `store_failed`
 */
export async function runImport(
  command: ImportCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  const scope = command.project ? "project" : "user";
  const file = library.configFile(scope);
  const found = fromHosts(await library.findServers({ scope }), command.from, library.importHosts);
  const paint = paintFor(process.stdout);
  const named = command.ids.map((id) => serverOfId(id, found));
  if (!command.json) {
    const listed = named.length === 0 ? found : { ...found, servers: named };
    print([...foundLines(listed, paint), ...problemLines(found, paint)]);
  }
  const chosen = named.length > 0 ? named : await choose(command, found, file, terminal, interrupt);
  if (chosen === null) {
    terminal.line("Nothing was written.");
    return interrupt.exitCode() ?? exitCodes.interrupted;
  }
  const added = await write(command, library, file, chosen);
  const left = command.all && named.length === 0 ? leftOut(found, command) : [];
  if (command.json) {
    const leftIds = left.map(({ id }) => id);
    print([
      visibleLine(JSON.stringify({ file, dryRun: command.dryRun, ...found, ...added, leftOut: leftIds })),
    ]);
  } else if (chosen.length > 0) {
    print([...leftOutLines(left), ...addedLines(file, added, command)]);
  } else if (found.servers.some(canBeWritten)) {
    const advice = left.length > 0 ? "" : ` ${howToWrite(found, command)}`;
    print(["", `Nothing was written.${advice}`, ...leftOutLines(left)]);
  }
  return exitCodes.answered;
}

function howToWrite(found: FoundServers, command: ImportCommand): string {
  return found.servers.filter(canBeWritten).length > leftOut(found, command).length
    ? "To write them: drawbridge import --all, or some: --id ID"
    : "To write some: drawbridge import --id ID, or all into the project's file: --all --project";
}

/** What `--all` does not write into the person's own file: from there it would start in every folder, unasked. */
function leftOut({ servers }: FoundServers, { project }: ImportCommand): readonly FoundServer[] {
  return project ? [] : servers.filter((server) => canBeWritten(server) && isOfProject(server));
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

const canBeWritten = (server: FoundServer): boolean => server.config !== undefined;

/** `vscode`, `VS Code` and `vs-code` are the same host. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** Only the servers of these hosts. Throws `config_invalid` for a name that is no host's. */
function fromHosts(
  found: FoundServers,
  names: readonly string[],
  hosts: Library["importHosts"],
): FoundServers {
  if (names.length === 0) return found;
  for (const name of names) {
    if (hosts.some((host) => plain(host) === plain(name))) continue;
    const meant = didYouMean(name, hosts, "--from ");
    throw new HostError(
      "config_invalid",
      `--from knows no host "${visibleLine(name)}"; it knows ${hosts.join(", ")}.${meant}`,
    );
  }
  const wanted = new Set(names.map(plain));
  const servers = found.servers.filter(({ sources }) => sources.some(({ host }) => wanted.has(plain(host))));
  return { ...found, servers };
}

/** The servers to write, when none was named; null when the choice was left. */
async function choose(
  command: ImportCommand,
  found: FoundServers,
  file: string,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<readonly FoundServer[] | null> {
  const writable = found.servers.filter(canBeWritten);
  if (command.all) {
    const left = leftOut(found, command);
    return writable.filter((server) => !left.includes(server));
  }
  if (!canAsk() || command.json || command.dryRun || writable.length === 0) return [];
  return selectServers(
    writable,
    `Which of them shall be written to ${visibleLine(file)}?`,
    terminal,
    interrupt,
  );
}

function serverOfId(id: string, { servers }: FoundServers): FoundServer {
  const server = servers.find((one) => one.id === id);
  if (server === undefined) {
    const meant = didYouMean(
      id,
      servers.map((one) => one.id),
      "--id ",
    );
    throw new HostError("config_invalid", `No server with the id "${visibleLine(id)}" was found.${meant}`);
  }
  if (server.blocked === undefined) return server;
  throw new HostError(
    "config_invalid",
    `"${visibleLine(id)}" cannot be imported. ${visibleLine(server.blocked)}`,
  );
}

async function write(
  { project, force, dryRun }: ImportCommand,
  library: Library,
  file: string,
  chosen: readonly FoundServer[],
): Promise<Awaited<ReturnType<Library["addServers"]>>> {
  if (chosen.length === 0) return { added: [], replaced: [], unchanged: [] };
  const servers = Object.fromEntries(
    chosen.flatMap(({ id, config }) => (config === undefined ? [] : [[id, config]])),
  );
  return library.addServers(file, servers, { scope: project ? "project" : "user", force, dryRun });
}
