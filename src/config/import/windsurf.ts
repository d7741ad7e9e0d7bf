import { own } from "../../util/own.ts";
import { commonEntry } from "./common-entry.ts";
import { member, members } from "./entries.ts";
import { joinPath } from "./paths.ts";
import type { HostReader } from "./raw-server.ts";

/** `~/.codeium/windsurf/mcp_config.json`; a remote server's URL is `serverUrl`. */
export const windsurf: HostReader = {
  host: "Windsurf",
  syntax: "editor",
  places: (where) => [
    { file: joinPath(where, where.home, ".codeium", "windsurf", "mcp_config.json"), format: "jsonc" },
  ],
  read: (document) =>
    members(member(document, "mcpServers")).map(([id, entry]) =>
      commonEntry(id, entry, {
        keys: ["serverUrl", "disabledTools"],
        more: (fields) => ({
          url: own(fields, "serverUrl") ?? own(fields, "url"),
          deniedTools: own(fields, "disabledTools"),
        }),
      }),
    ),
};
