import { isObject, own } from "../../util/own.ts";
import { commonEntry } from "./common-entry.ts";
import { member, members } from "./entries.ts";
import { applicationFolder, joinPath, xdgFolder } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";

/** The command is a text, or in older files an object with `path`, `args` and `env`. */
function serverOf(id: string, entry: unknown): RawServer {
  const server = commonEntry(id, entry, {
    keys: ["timeout", "remote"],
    more: (fields) => {
      const command = own(fields, "command");
      if (!isObject(command)) return {};
      return { command: own(command, "path"), args: own(command, "args"), env: own(command, "env") };
    },
  });
  const notes =
    member(entry, "timeout") === undefined
      ? []
      : ["Its timeout is not carried over: its unit differs between versions of Zed."];
  const extension = server.command === undefined && server.url === undefined && server.blocked === undefined;
  return {
    ...server,
    notes: [...notes, ...server.notes],
    ...(extension ? { blocked: "It comes with an extension of Zed, which starts it." } : {}),
  };
}

/** `context_servers` in the settings of the person and of a project. */
export const zed: HostReader = {
  host: "Zed",
  syntax: "none",
  places: (where) => [
    {
      file: joinPath(
        where,
        where.platform === "win32"
          ? joinPath(where, applicationFolder(where), "Zed")
          : joinPath(where, xdgFolder(where), "zed"),
        "settings.json",
      ),
      format: "jsonc",
    },
    { file: joinPath(where, where.cwd, ".zed", "settings.json"), format: "jsonc", project: where.cwd },
  ],
  read: (document) => members(member(document, "context_servers")).map(([id, entry]) => serverOf(id, entry)),
};
