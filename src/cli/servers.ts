import { HostError } from "../errors.ts";
import type { ServerConfig } from "../types/config.ts";
import { didYouMean } from "../util/closest.ts";
import { visibleLine } from "../util/visible.ts";
import { namesNoPackage } from "./settings/package.ts";

/** The two functions of the library that read a command line. */
export interface CommandReader {
  parseCommand(text: string): [string, ...string[]];
  serverIdFromCommand(argv: readonly string[]): string;
}

const example = 'Example: --server "id=npx -y SERVER"';

function wrong(message: string): HostError {
  return new HostError("config_invalid", message);
}

function urlOf(text: string): URL | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return undefined;
  if (!/^https?:/i.test(text))
    throw wrong(`A --server URL begins with http:// or https://, not ${visibleLine(text.slice(0, 20))}`);
  if (!URL.canParse(text)) throw wrong("A --server URL cannot be read; it is like https://example.com/mcp");
  return new URL(text);
}

/** `id=rest`, or the rest alone. What is before the first `=` is an id unless it looks like a path, a URL or a command. */
function splitId(text: string): { readonly id?: string; readonly target: string } {
  const found = /^([^\s=/\\:"']+)=(.*)$/s.exec(text);
  if (found === null) return { target: text.trim() };
  return { id: found[1] ?? "", target: (found[2] ?? "").trim() };
}

function serverOf(text: string, reader: CommandReader): [string, ServerConfig] {
  const { id, target } = splitId(text);
  if (target === "" || target.startsWith("=")) {
    const given = id === undefined ? "" : ` ${visibleLine(id)}=`;
    throw wrong(`--server${given} has no ${target === "" ? "command" : "id before ="}. ${example}`);
  }
  const url = urlOf(target);
  if (url !== undefined) {
    return [id ?? url.host.replace(/[^a-z0-9]+/gi, "-"), { type: "http", url: target }];
  }
  const argv = reader.parseCommand(target);
  const [command, ...args] = argv;
  if (namesNoPackage({ command, args }))
    throw wrong(`--server "${visibleLine(target)}" names no package to start. ${example}`);
  return [id ?? reader.serverIdFromCommand(argv), { type: "stdio", command, args }];
}

/**
 * The servers of the `--server` options by id.
 * @throws HostError `config_invalid`: no command, a URL that cannot be read, or two servers with one id.
 */
export function serverConfigs(texts: readonly string[], reader: CommandReader): Record<string, ServerConfig> {
  const servers = new Map<string, ServerConfig>();
  for (const text of texts) {
    const [id, config] = serverOf(text, reader);
    if (servers.has(id)) {
      throw wrong(`Two servers have the id "${visibleLine(id)}"; name them: --server "a=…" --server "b=…"`);
    }
    servers.set(id, config);
  }
  return Object.fromEntries(servers);
}

/** @throws HostError `config_invalid` when an id given to an option is no server's. */
function checkId(option: string, id: string, ids: readonly string[]): void {
  if (ids.includes(id)) return;
  const list = ids.length === 0 ? "there are none" : `there are: ${ids.map(visibleLine).join(", ")}`;
  throw wrong(`${option} names no server: "${visibleLine(id)}"; ${list}.${didYouMean(id, ids)}`);
}

/** The rules of the `--allow` options. A rule for a server that does not exist is a mistake, not a rule that never matches. */
export function allowRules(patterns: readonly string[], ids: readonly string[]): string[] {
  return patterns.map((text) => {
    const pattern = text.trim().replace(/^allow\s+/, "");
    const slash = pattern.indexOf("/");
    if (slash < 1 || slash === pattern.length - 1) {
      throw wrong(`--allow takes "server/tool" or "server/*", not "${visibleLine(pattern)}"`);
    }
    const server = pattern.slice(0, slash);
    // Wildcards and quoted names are the rule grammar's to read.
    if (!/[*"]/.test(server)) checkId("--allow", server, ids);
    return `allow ${pattern}`;
  });
}

/** The ids of the `--trust` options, each checked. */
export function trustedIds(trust: readonly string[], ids: readonly string[]): readonly string[] {
  for (const id of trust) checkId("--trust", id, ids);
  return trust;
}
