import { resolve } from "node:path";
import { createGlob, type Glob, matchesGlob } from "../consent/glob.ts";
import type { HostOptions, ServerConfig } from "../types/config.ts";
import type { ToolRoute } from "../types/tool.ts";

type Servers = readonly (readonly [id: string, config: ServerConfig])[];

/** Which tools the configs of the servers leave out. Patterns are compiled once. */
export function createToolFilter(servers: Servers): (route: ToolRoute) => boolean {
  const filters = new Map(
    servers.flatMap(([id, { tools }]) => (tools === undefined ? [] : [[id, filterOf(tools)] as const])),
  );
  return ({ server, tool }) => filters.get(server)?.(tool) === false;
}

/** Whether a tool is kept: it fits one of the patterns, where there are any without `!`, and none with it. */
function filterOf(patterns: readonly string[]): (tool: string) => boolean {
  const taken = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => globOf(pattern.slice(1)));
  const given = patterns.filter((pattern) => !pattern.startsWith("!")).map(globOf);
  const onlyTakes = given.length === 0 && taken.length > 0;
  return (tool) =>
    (onlyTakes || given.some((glob) => matchesGlob(glob, tool))) &&
    !taken.some((glob) => matchesGlob(glob, tool));
}

function globOf(pattern: string): Glob {
  const parts = pattern.split(/(\*+)/).filter((part) => part !== "");
  return createGlob(
    parts.map((text) => (text.startsWith("*") ? { type: "anything" } : { type: "text", text })),
  );
}

/** Whether the operator trusts a server: its own config says so, or the policy. */
export function isTrusted(id: string, { trust }: ServerConfig, policy: HostOptions["policy"]): boolean {
  return trust === true || (policy?.trust ?? []).includes(id);
}

/** The longest time for one call of a server, where its config says one. */
export function createTimeouts(servers: Servers): (server: string) => number | undefined {
  const timeouts = new Map(servers.map(([id, { timeout }]) => [id, timeout]));
  return (server) => timeouts.get(server);
}

/** The absolute folder that a server is started in, where its config names one. */
export function createFolders(
  servers: Readonly<Record<string, ServerConfig>>,
): (server: string) => string | null {
  const folders = new Map(
    Object.entries(servers).flatMap(([id, config]) =>
      "cwd" in config && config.cwd !== undefined ? [[id, resolve(config.cwd)] as const] : [],
    ),
  );
  return (server) => folders.get(server) ?? null;
}
