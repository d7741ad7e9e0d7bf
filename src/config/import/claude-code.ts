import { own } from "../../util/own.ts";
import { commonEntry } from "./common-entry.ts";
import { member, members, texts } from "./entries.ts";
import { folderOf, joinPath } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";

function serversOf(value: unknown): RawServer[] {
  return members(member(value, "mcpServers")).map(([id, entry]) =>
    commonEntry(id, entry, {
      keys: ["timeout", "alwaysLoad"],
      more: (fields) => ({ timeoutMs: own(fields, "timeout") }),
    }),
  );
}

/** The servers of one project in `~/.claude.json`; those switched off there are disabled. */
function projectServers([project, value]: [string, unknown]): RawServer[] {
  const off = texts(member(value, "disabledMcpServers"));
  return serversOf(value).map((server) => ({
    ...server,
    project,
    disabled: server.disabled === true || off.includes(server.id),
  }));
}

/** `~/.claude.json`, for the person and for each project, and a project's `.mcp.json`. */
export const claudeCode: HostReader = {
  host: "Claude Code",
  syntax: "braces",
  places: (where) => [
    { file: joinPath(where, folderOf(where, "CLAUDE_CONFIG_DIR"), ".claude.json"), format: "jsonc" },
    { file: joinPath(where, where.cwd, ".mcp.json"), format: "jsonc", project: where.cwd },
  ],
  read(document, place) {
    const servers = serversOf(document);
    if (place.project === undefined) {
      return [...servers, ...members(member(document, "projects")).flatMap(projectServers)];
    }
    const read = "Drawbridge reads this file by itself when it is started in this project.";
    return servers.map((server) => ({ ...server, notes: [read, ...server.notes] }));
  },
};
