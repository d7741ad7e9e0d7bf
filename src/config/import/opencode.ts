import { isObject, own } from "../../util/own.ts";
import { transportOf } from "./common-entry.ts";
import { member, members, readEntry } from "./entries.ts";
import { joinPath, xdgFolder } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";

const carried = ["command", "environment", "cwd", "url", "headers", "timeout"];

function serverOf(id: string, entry: unknown): RawServer {
  return readEntry(id, entry, carried, (fields) => {
    const command: unknown = own(fields, "command");
    const words: readonly unknown[] = Array.isArray(command) ? command : [command];
    const url = own(fields, "url");
    const nothing = command === undefined && url === undefined;
    return {
      command: words[0],
      args: words.slice(1),
      env: own(fields, "environment"),
      cwd: own(fields, "cwd"),
      url,
      headers: own(fields, "headers"),
      ...transportOf(undefined, url, command),
      disabled: own(fields, "enabled") === false || own(fields, "disabled") === true,
      ...timeoutOf(own(fields, "timeout")),
      ...(nothing ? { blocked: "It only switches a server on or off that is defined elsewhere." } : {}),
    };
  });
}

/** One number is the time to list the tools; of a pair, `request` is the time of a call. */
function timeoutOf(timeout: unknown): Pick<RawServer, "timeoutMs"> & Partial<Pick<RawServer, "notes">> {
  if (timeout === undefined) return {};
  if (!isObject(timeout)) {
    return {
      notes: ["Its timeout is for the list of its tools and is not carried over: see limits.listMs."],
    };
  }
  const startup = own(timeout, "startup");
  return {
    timeoutMs: own(timeout, "request"),
    ...(startup === undefined
      ? {}
      : {
          notes: ["Its time to start is not carried over: limits.serverStartMs is the same for all servers."],
        }),
  };
}

/**
 * `tools` of any of its files switches tools off by their name, which begins with the server's, or all of a server with
 * `id_*`; the last word counts.
 */
function withToolsOff(server: RawServer, documents: readonly unknown[]): RawServer {
  const prefix = `${server.id.replace(/[^A-Za-z0-9_-]/g, "_")}_`;
  const switches = new Map(documents.flatMap((document) => members(member(document, "tools"))));
  const off = [...switches].flatMap(([name, on]) =>
    on === false && name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  const all = off.includes("*") || switches.get(`${prefix.slice(0, -1)}*`) === false;
  const tools = off.filter((name) => !name.includes("*"));
  const patterns = off.some((name) => name !== "*" && name.includes("*"));
  const note = "A pattern that switches some of its tools off is not carried over: name them in its tools.";
  return {
    ...server,
    ...(all ? { disabled: true } : {}),
    ...(tools.length === 0 ? {} : { deniedTools: tools }),
    notes: patterns ? [...server.notes, note] : server.notes,
  };
}

/** The servers stand in `mcp`, in newer files in `mcp.servers`. */
function entriesOf(document: unknown): [string, unknown][] {
  const servers = member(document, "mcp", "servers");
  const newer = isObject(servers) && typeof member(servers, "type") !== "string";
  return members(newer ? servers : member(document, "mcp"));
}

/** `opencode.json` or `opencode.jsonc` in the config folder, the project, and the project's `.opencode`. */
export const opencode: HostReader = {
  host: "opencode",
  syntax: "opencode",
  places: (where) => {
    const names = ["opencode.json", "opencode.jsonc"];
    const folder = joinPath(where, xdgFolder(where), "opencode");
    return [
      ...names.map((name) => ({ file: joinPath(where, folder, name), format: "jsonc" as const })),
      ...[where.cwd, joinPath(where, where.cwd, ".opencode")].flatMap((inProject) =>
        names.map((name) => ({
          file: joinPath(where, inProject, name),
          format: "jsonc" as const,
          project: where.cwd,
        })),
      ),
    ];
  },
  read: (document, _place, own) =>
    entriesOf(document).map(([id, entry]) => withToolsOff(serverOf(id, entry), [...own, document])),
};
