import { commonEntry } from "./common-entry.ts";
import { member, members } from "./entries.ts";
import { applicationFolder, joinPath } from "./paths.ts";
import type { HostReader } from "./raw-server.ts";

/** `claude_desktop_config.json`: `mcpServers` of commands, every text as it stands. */
export const claudeDesktop: HostReader = {
  host: "Claude Desktop",
  syntax: "none",
  places: (where) => [
    {
      file: joinPath(where, applicationFolder(where), "Claude", "claude_desktop_config.json"),
      format: "jsonc",
    },
  ],
  read: (document) => members(member(document, "mcpServers")).map(([id, entry]) => commonEntry(id, entry)),
};
