import type { CallResult, Host } from "../../types/host.ts";
import type { JsonObject } from "../../types/json.ts";
import type { CatalogTool } from "../../types/tool.ts";
import { oneLine } from "../../util/one-line.ts";
import { readableText } from "../../util/readable-text.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { awaitServer, openOneServer } from "../one-server.ts";
import { routeText } from "../show/render-events.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatBytes } from "../terminal/units.ts";
import { checkKeys, readArguments } from "./call/arguments.ts";
import { noSuchTool } from "./call/no-such-tool.ts";
import { readText } from "./call/read-text.ts";

export interface CallCommand {
  readonly server: string;
  readonly tool: string;
  /** One JSON object, or `key=value`, `key:=JSON`, `key=@FILE`. */
  readonly args: readonly string[];
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Calls one tool as it was typed, on the one server that it needs, and prints what it answers. */
export async function callTool(
  typed: CallCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { host, server } = await openOneServer(typed, terminal, interrupt);
  const command = { ...typed, server };
  try {
    const tool = await findTool(command, host, terminal, interrupt);
    const { inputSchema } = tool.definition;
    const args = await readArguments(command.args, inputSchema, readText);
    for (const odd of checkKeys(command.tool, args, inputSchema))
      terminal.line(terminal.paint("yellow", `! ${odd}`));
    terminal.line(terminal.paint("dim", sentLine(tool, args)));
    terminal.waitFor(routeText(tool.route));
    const result = await host.call(command.server, command.tool, args, { signal: interrupt.signal });
    terminal.waitFor(null);
    process.stdout.write(command.json ? `${visibleLine(JSON.stringify(result))}\n` : resultText(result));
    if (result.isError && !command.json)
      terminal.line(terminal.paint("red", "✗ The call ended with an error."));
    return interrupt.exitCode() ?? (result.isError ? exitCodes.failed : exitCodes.answered);
  } finally {
    await closeHost(host, terminal);
  }
}

/** What words became by the tool's schema; long arguments are cut, as they were typed a line above. */
function sentLine({ route }: CatalogTool, args: JsonObject): string {
  return `→ ${routeText(route)} ${visibleLine(oneLine(JSON.stringify(args), 160))}`;
}

async function findTool(
  command: CallCommand,
  host: Host,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<CatalogTool> {
  const { server, tool } = command;
  const snapshot = await awaitServer(host, command, terminal, interrupt);
  const found = snapshot.tools.find(({ route }) => route.server === server && route.tool === tool);
  if (found !== undefined) return found;
  throw noSuchTool(server, tool, snapshot);
}

/** The content as text for a terminal, escaped; pictures are described. */
export function resultText(result: CallResult): string {
  const parts = result.content.map((block) => {
    if (block.type === "text") return readableText(block.text);
    const bytes = Math.floor((block.data.length * 3) / 4);
    return `[${block.mediaType}, ${formatBytes(bytes)}; --json has it whole]`;
  });
  return parts
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("");
}
