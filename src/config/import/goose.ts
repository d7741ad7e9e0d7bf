import { own } from "../../util/own.ts";
import { member, members, readEntry, texts } from "./entries.ts";
import { folderOf, joinPath, xdgFolder } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";

const carried = "cmd args envs env_keys uri headers timeout available_tools cwd".split(" ");

function serverOf(id: string, entry: unknown): RawServer {
  return readEntry(id, entry, carried, (fields) => {
    const type = own(fields, "type");
    const seconds = own(fields, "timeout");
    const keys = texts(own(fields, "env_keys"));
    const remote = type === "sse" || type === "streamable_http";
    return {
      command: remote ? undefined : own(fields, "cmd"),
      args: own(fields, "args"),
      env: own(fields, "envs"),
      passedOn: keys,
      cwd: own(fields, "cwd"),
      url: remote ? own(fields, "uri") : undefined,
      headers: own(fields, "headers"),
      headerSyntax: "dollar",
      sse: type === "sse",
      ...(typeof seconds === "number" ? { timeoutMs: seconds * 1000 } : {}),
      allowedTools: own(fields, "available_tools"),
      disabled: own(fields, "enabled") === false,
      notes: keys.map(
        (key) => `${key} is in Goose's keyring, which is not read: set ${key} in your environment.`,
      ),
      ...(remote || type === "stdio" ? {} : { blocked: partOfGoose(type) }),
    };
  });
}

function partOfGoose(type: unknown): string {
  return type === "builtin" || type === "platform"
    ? "It is a part of Goose itself."
    : `Only Goose can run an extension of the type ${String(JSON.stringify(type)).slice(0, 60)}.`;
}

/** `config.yaml`, whose `extensions` are MCP servers and parts of Goose. */
export const goose: HostReader = {
  host: "Goose",
  syntax: "braces",
  places: (where) => [
    {
      file:
        where.platform === "win32"
          ? joinPath(
              where,
              folderOf(where, "APPDATA", "AppData", "Roaming"),
              "Block",
              "goose",
              "config",
              "config.yaml",
            )
          : joinPath(where, xdgFolder(where), "goose", "config.yaml"),
      format: "yaml",
    },
  ],
  read: (document) => members(member(document, "extensions")).map(([id, entry]) => serverOf(id, entry)),
};
