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

/** What the person switched off in a project: their own servers, and those of its `.mcp.json`. */
const offIn = (document: unknown, project: string, key: string) =>
  texts(member(document, "projects", project, key));

/** The projects in which one of the person's own servers is off. Here it is on or off in all of them. */
function offNotes(document: unknown, id: string): string[] {
  const projects = members(member(document, "projects")).flatMap(([project]) =>
    offIn(document, project, "disabledMcpServers").includes(id) ? [project] : [],
  );
  return projects.length === 0
    ? []
    : [`It is switched off in ${projects.join(", ")} there: here it starts in every folder.`];
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
  read(document, { project }, own) {
    const servers = serversOf(document);
    if (project === undefined) {
      const noted = servers.map((server) => ({
        ...server,
        notes: [...server.notes, ...offNotes(document, server.id)],
      }));
      return [...noted, ...members(member(document, "projects")).flatMap(projectServers)];
    }
    const off = own.flatMap((mine) => offIn(mine, project, "disabledMcpjsonServers"));
    const read = "Drawbridge reads this file by itself when it is started in this project.";
    return servers.map((server) => ({
      ...server,
      disabled: server.disabled === true || off.includes(server.id),
      notes: [read, ...server.notes],
    }));
  },
};
