import { dirname, join } from "node:path";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import { addedLines, foundLines, problemLines } from "../show/found-servers.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { paintFor } from "../terminal/paint.ts";
import { selectServers } from "../terminal/select-servers.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface InitCommand {
  /** Make the person's own file instead of the project's. */
  readonly user: boolean;
}

/**
 * Makes a config file with comments; at a terminal it offers the servers of other hosts for it.
 * @throws HostError `config_invalid` when the file is there already, `store_failed`
 */
export async function runInit(
  { user }: InitCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  const scope = user ? "user" : "project";
  const file = library.configFile(scope);
  await library.createConfigFile(file, scope);
  print([`${visibleLine(file)} was made.`]);
  const left = await offer(library, file, scope, terminal, interrupt);
  if (left) return interrupt.exitCode() ?? exitCodes.interrupted;
  print([
    "Next:",
    ...(user ? [] : ["  drawbridge trust ID   agree to a server of this project: it is pending"]),
    "  drawbridge doctor     see whether everything works",
    "  drawbridge chat       talk to a model that has your servers' tools",
  ]);
  return exitCodes.answered;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** Offers what other hosts have; true when the person left. Without a terminal it only says that there is something. */
async function offer(
  library: typeof import("../../index.ts"),
  file: string,
  scope: "project" | "user",
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<boolean> {
  const found = await library.findServers({ scope });
  // What stands in the project's shared file is read from there.
  const shared = join(dirname(file), ".mcp.json");
  const writable = found.servers.filter(
    ({ config, sources }) => config !== undefined && sources.some((source) => source.file !== shared),
  );
  if (writable.length === 0) return false;
  if (!canAsk()) {
    const target = scope === "project" ? " --project" : "";
    print([`Other hosts have servers for it: drawbridge import${target}`]);
    return false;
  }
  const paint = paintFor(process.stdout);
  print(["", ...foundLines({ ...found, servers: writable }, paint), ...problemLines(found, paint)]);
  const chosen = await selectServers(writable, "Which of these servers shall be in it?", terminal, interrupt);
  if (chosen === null) return true;
  if (chosen.length === 0) return false;
  const servers = Object.fromEntries(
    chosen.flatMap(({ id, config }) => (config === undefined ? [] : [[id, config]])),
  );
  const added = await library.addServers(file, servers, { scope });
  print(addedLines(file, added, { dryRun: false, project: scope === "project" }).slice(0, 2));
  return false;
}
