import type { ServerStatus } from "../../types/events.ts";
import type { CatalogTool, ToolAnnotations, ToolSnapshot } from "../../types/tool.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { serverConfigs } from "../servers.ts";
import { routeText, serverLine } from "../show/render-events.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ToolsCommand {
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Lists the tools of the servers: aliases, what their servers say of them, and those kept from the model. */
export async function listTools(
  command: ToolsCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  const configs = serverConfigs(command.flags.servers, library);
  // Not required, so that one server that is down does not hide the tools of the others.
  const servers = Object.fromEntries(
    Object.entries(configs).map(([id, config]) => [id, { ...config, required: false }]),
  );
  const host = library.createHost({ servers, audit: false });
  try {
    terminal.waitFor("the servers");
    const snapshot = await host.tools({ signal: interrupt.signal });
    terminal.waitFor(null);
    const statuses = host.status();
    for (const status of statuses) {
      const line = serverLine(status, terminal.paint);
      if (line !== undefined) terminal.line(line);
    }
    const text = command.json ? [JSON.stringify(toolsJson(snapshot, statuses))] : toolLines(snapshot);
    process.stdout.write(text.map((line) => `${visibleLine(line)}\n`).join(""));
    return statuses.some((status) => status.state === "failed") ? exitCodes.serverDown : exitCodes.answered;
  } finally {
    await closeHost(host, terminal);
  }
}

/** What a server says of its tool, in a few words; absent hints mean the worst. */
function hintWords(annotations: ToolAnnotations): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    readOnlyHint === true && destructiveHint !== true
      ? "read-only"
      : destructiveHint === false
        ? "writes"
        : "may destroy",
    ...(idempotentHint === true ? ["idempotent"] : []),
    ...(openWorldHint === false ? [] : ["reaches outside"]),
  ];
  return words.join(", ");
}

/** The table, one tool a line: alias, hints, title or the beginning of the description. */
export function toolLines(snapshot: ToolSnapshot): string[] {
  const rows = snapshot.tools.map((tool) => ({
    alias: tool.alias,
    hints: hintWords(tool.definition.annotations),
    about: aboutText(tool),
  }));
  const aliasWidth = Math.max(0, ...rows.map((row) => row.alias.length));
  const hintWidth = Math.max(0, ...rows.map((row) => row.hints.length));
  return [
    ...rows.map((row) =>
      `${row.alias.padEnd(aliasWidth)}  ${row.hints.padEnd(hintWidth)}  ${row.about}`.trimEnd(),
    ),
    ...snapshot.quarantined.map((tool) => `${routeText(tool)}  kept from the model: ${tool.reason}`),
    ...(snapshot.tools.length + snapshot.quarantined.length === 0 ? ["No tools."] : []),
  ];
}

function aboutText(tool: CatalogTool): string {
  const { definition } = tool;
  const text =
    definition.title ?? definition.annotations.title ?? definition.description.trim().split("\n", 1)[0] ?? "";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The same as plain JSON, with the identity of each tool: its server's id and its raw name. */
function toolsJson(snapshot: ToolSnapshot, servers: readonly ServerStatus[]): unknown {
  return {
    servers,
    tools: snapshot.tools.map(({ alias, route, definition }) => ({
      alias,
      server: route.server,
      tool: route.tool,
      ...(definition.title === undefined ? {} : { title: definition.title }),
      description: definition.description,
      annotations: definition.annotations,
      inputSchema: definition.inputSchema,
    })),
    quarantined: snapshot.quarantined,
  };
}
