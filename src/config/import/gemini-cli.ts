import { own } from "../../util/own.ts";
import { commonEntry } from "./common-entry.ts";
import { member, members, texts } from "./entries.ts";
import { joinPath } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";

const keys = ["httpUrl", "timeout", "includeTools", "excludeTools"];

/** `httpUrl` is Streamable HTTP; a `url` without a type is the older transport. */
function serverOf(id: string, entry: unknown): RawServer {
  const httpUrl = member(entry, "httpUrl");
  const server = commonEntry(id, entry, {
    keys,
    more: (fields) => ({
      url: httpUrl ?? own(fields, "url"),
      timeoutMs: own(fields, "timeout"),
      allowedTools: withoutArguments(own(fields, "includeTools")),
      deniedTools: own(fields, "excludeTools"),
    }),
  });
  const typed = member(entry, "type") !== undefined;
  return { ...server, ...(typed ? {} : { sse: httpUrl === undefined && server.url !== undefined }) };
}

/** `tool(arguments)` allows the whole tool. */
function withoutArguments(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool: unknown) => (typeof tool === "string" ? tool.replace(/\([\s\S]*$/, "") : tool));
}

/** Whether the lists of allowed and excluded servers switch this one off. */
function switchedOff(id: string, document: unknown): boolean {
  const allowed = member(document, "mcp", "allowed");
  if (Array.isArray(allowed) && !texts(allowed).includes(id)) return true;
  return texts(member(document, "mcp", "excluded")).includes(id);
}

/** `settings.json` in `~/.gemini` and in a project's `.gemini`. */
export const geminiCli: HostReader = {
  host: "Gemini CLI",
  syntax: "dollar",
  places: (where) => [
    { file: joinPath(where, where.home, ".gemini", "settings.json"), format: "jsonc" },
    { file: joinPath(where, where.cwd, ".gemini", "settings.json"), format: "jsonc", project: where.cwd },
  ],
  read: (document) =>
    members(member(document, "mcpServers")).map(([id, entry]) => {
      const server = serverOf(id, entry);
      return switchedOff(id, document) ? { ...server, disabled: true } : server;
    }),
};
