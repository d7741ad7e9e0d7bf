import { own } from "../../util/own.ts";
import { readEntry } from "./entries.ts";
import type { RawServer } from "./raw-server.ts";

/** Keys of the `mcpServers` entries that most hosts share. */
const commonKeys = ["command", "args", "env", "cwd", "url", "headers"] as const;

interface CommonOptions {
  /** Keys that `more` takes. */
  readonly keys?: readonly string[];
  /** What this host has beside the common keys. */
  readonly more?: (entry: Readonly<Record<string, unknown>>) => Partial<RawServer>;
}

/** An entry of the form that most hosts share: a command, or a URL with an optional type. */
export function commonEntry(id: string, entry: unknown, { keys = [], more }: CommonOptions = {}): RawServer {
  return readEntry(id, entry, [...commonKeys, ...keys], (fields) => {
    const type = own(fields, "type") ?? own(fields, "transport");
    const raw = {
      command: own(fields, "command"),
      args: own(fields, "args"),
      env: own(fields, "env"),
      cwd: own(fields, "cwd"),
      url: own(fields, "url"),
      headers: own(fields, "headers"),
      disabled: own(fields, "disabled") === true || own(fields, "enabled") === false,
      ...more?.(fields),
    };
    return { ...raw, ...transportOf(type, raw.url, raw.command) };
  });
}

/** Whether the older HTTP+SSE transport is meant; a type that is none of MCP's transports blocks the server. */
export function transportOf(
  type: unknown,
  url: unknown,
  command?: unknown,
): Pick<RawServer, "sse"> & Partial<Pick<RawServer, "blocked">> {
  if (type === undefined || type === null) return { sse: command === undefined && endsInSse(url) };
  const known = typeof type === "string" ? type.toLowerCase().replace(/[^a-z]/g, "") : "";
  if (known === "sse") return { sse: true };
  if (["stdio", "http", "streamablehttp", "local", "remote"].includes(known)) return { sse: false };
  return { blocked: `Its transport is not one that Drawbridge has: ${JSON.stringify(type).slice(0, 60)}.` };
}

/** Servers of the older transport are at such URLs by convention; hosts without a type try both. */
function endsInSse(url: unknown): boolean {
  return typeof url === "string" && /\/sse\/?(?:[?#]|$)/.test(url);
}
