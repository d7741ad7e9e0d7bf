import { commonEntry } from "./common-entry.ts";
import { member, members } from "./entries.ts";
import { joinPath } from "./paths.ts";
import type { HostReader } from "./raw-server.ts";

/** `~/.cursor/mcp.json` and a project's `.cursor/mcp.json`. */
export const cursor: HostReader = {
  host: "Cursor",
  syntax: "editor",
  places: (where) => [
    { file: joinPath(where, where.home, ".cursor", "mcp.json"), format: "jsonc" },
    { file: joinPath(where, where.cwd, ".cursor", "mcp.json"), format: "jsonc", project: where.cwd },
  ],
  read: (document) => members(member(document, "mcpServers")).map(([id, entry]) => commonEntry(id, entry)),
};
