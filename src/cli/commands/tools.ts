import { HostError } from "../../errors.ts";
import type { HostOptions } from "../../types/config.ts";
import type { ServerStatus } from "../../types/events.ts";
import type { Host } from "../../types/host.ts";
import type { LoadedConfig } from "../../types/settings.ts";
import type { CatalogTool, ToolAnnotations, ToolSnapshot } from "../../types/tool.ts";
import { outsidePair } from "../../util/one-line.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { usageError } from "../command-line/spec.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { knownServer, openSettings } from "../settings.ts";
import { behindSearchText } from "../show/behind-search.ts";
import { driftLines, warningLines } from "../show/drift-lines.ts";
import { routeText, serverLine } from "../show/render-events.ts";
import { definitionTokens } from "../show/token-estimate.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../terminal/units.ts";

export interface ToolsCommand {
  /** Only its tools. */
  readonly server?: string;
  /** Accept its tools as they are now. */
  readonly pin: boolean;
  /** Without a question. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** The tools are there whoever answers: a model that cannot be made is told, and then none is counted for. */
function openHost(
  options: HostOptions,
  { createHost }: Pick<typeof import("../../index.ts"), "createHost">,
  terminal: Terminal,
): Host {
  try {
    return createHost(options);
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    if (thrown.code !== "model_unknown" && thrown.code !== "model_key_missing") throw thrown;
    terminal.line(terminal.paint("yellow", `! ${visibleLine(thrown.message)}`));
    return createHost({ ...options, model: "offline", fallbackModels: [] });
  }
}

/** Lists the tools of the servers: aliases, what their servers say of them, and those kept from the model. */
export async function listTools(
  command: ToolsCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { server } = command;
  if (server !== undefined && command.pin) {
    return (await import("./tools-pin.ts")).pinTools({ ...command, server }, terminal, interrupt);
  }
  const library = await import("../../index.ts");
  // Not required, so that one server that is down does not hide the tools of the others.
  const { options, loaded } = await openSettings(command.flags, {
    terminal,
    interrupt,
    canAsk: canAsk(),
    required: false,
  });
  if (loaded.servers.length === 0) {
    throw usageError('No server is configured. Example: drawbridge tools --server "npx -y SERVER"');
  }
  const id = server === undefined ? undefined : knownServer(server, loaded);
  const host = openHost({ ...options, audit: false }, library, terminal);
  try {
    terminal.waitFor("the servers");
    const { signal } = interrupt;
    const snapshot = toolsOf(await host.tools({ signal }), id);
    const drift = (await host.drift({ signal })).filter((one) => id === undefined || one.server === id);
    terminal.waitFor(null);
    const statuses = host.status();
    for (const status of statuses) {
      const line = serverLine(status, terminal.paint);
      if (line !== undefined) terminal.line(line);
    }
    const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
    const text = command.json
      ? [JSON.stringify({ ...toolsJson(snapshot, statuses), drift })]
      : [...toolLines(snapshot, width), ...warningLines(snapshot), ...drift.flatMap(driftLines)];
    process.stdout.write(text.map((line) => `${visibleLine(line)}\n`).join(""));
    if (!command.json) terminal.line(terminal.paint("dim", totalLine(snapshot)));
    return allStarted(statuses, loaded) ? exitCodes.answered : exitCodes.serverDown;
  } finally {
    await closeHost(host, terminal);
  }
}

/** Of one server, where one was named. */
function toolsOf(snapshot: ToolSnapshot, server: string | undefined): ToolSnapshot {
  if (server === undefined) return snapshot;
  const { warnings } = snapshot;
  return {
    ...snapshot,
    tools: snapshot.tools.filter(({ route }) => route.server === server),
    quarantined: snapshot.quarantined.filter((tool) => tool.server === server),
    ...(warnings === undefined ? {} : { warnings: warnings.filter((one) => one.server === server) }),
  };
}

function allStarted(statuses: readonly ServerStatus[], { servers }: LoadedConfig): boolean {
  const started = servers.filter(({ disabled }) => !disabled);
  return (
    statuses.every(({ state }) => state !== "failed") &&
    started.every(({ pending, problem }) => !pending && problem === undefined)
  );
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

/**
 * The table, one tool a line: alias, hints, about how many tokens, title or the beginning of the description, which is
 * cut where the line would be wider than `width`.
 */
export function toolLines(snapshot: ToolSnapshot, width: number = Number.POSITIVE_INFINITY): string[] {
  const rows = snapshot.tools.map((tool) => [
    tool.alias,
    hintWords(tool.definition.annotations),
    `~${definitionTokens(tool).toLocaleString("en-US")} tokens`,
    aboutText(tool),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return [
    ...rows
      .map((row) =>
        row
          .map((cell, column) =>
            column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0),
          )
          .join("  ")
          .trimEnd(),
      )
      .map((line) => cutTo(line, Math.max(width, tableWidth(widths)))),
    ...snapshot.quarantined.map((tool) => `${routeText(tool)}  kept from the model: ${tool.reason}`),
    ...(snapshot.tools.length + snapshot.quarantined.length === 0 ? ["No tools."] : []),
  ];
}

/** What is never cut: the columns before the last, and a little of it. */
function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 2, 11);
}

function cutTo(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, outsidePair(line, width - 1))}…` : line;
}

function totalLine({ tools: all, behindSearch }: ToolSnapshot): string {
  const tools = behindSearch === undefined ? all : all.filter((tool) => !behindSearch.tools.includes(tool));
  const more =
    behindSearch === undefined ? "" : `. ${behindSearchText(behindSearch.tools.length, behindSearch.reason)}`;
  const tokens = tools.reduce((sum, tool) => sum + definitionTokens(tool), 0);
  return `${count(tools.length, "tool")}, about ${count(tokens, "token")} of each request (an estimate)${more}`;
}

function aboutText(tool: CatalogTool): string {
  const { definition } = tool;
  const text =
    definition.title ?? definition.annotations.title ?? definition.description.trim().split("\n", 1)[0] ?? "";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The same as plain JSON, with the identity of each tool: its server's id and its raw name. */
function toolsJson(snapshot: ToolSnapshot, servers: readonly ServerStatus[]): object {
  const { behindSearch } = snapshot;
  return {
    servers,
    tools: snapshot.tools.map((tool) => {
      const { alias, route, definition } = tool;
      return {
        alias,
        server: route.server,
        tool: route.tool,
        ...(definition.title === undefined ? {} : { title: definition.title }),
        description: definition.description,
        annotations: definition.annotations,
        estimatedTokens: definitionTokens(tool),
        inputSchema: definition.inputSchema,
      };
    }),
    quarantined: snapshot.quarantined,
    warnings: snapshot.warnings ?? [],
    ...(behindSearch === undefined
      ? {}
      : {
          behindSearch: { reason: behindSearch.reason, tools: behindSearch.tools.map(({ alias }) => alias) },
        }),
  };
}
