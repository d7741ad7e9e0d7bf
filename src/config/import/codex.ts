import { own } from "../../util/own.ts";
import { member, members, readEntry } from "./entries.ts";
import { folderOf, joinPath } from "./paths.ts";
import type { HostReader, RawServer } from "./raw-server.ts";
import { variableName } from "./secret-names.ts";

const carried =
  "command args env env_vars cwd url http_headers env_http_headers bearer_token_env_var bearer_token tool_timeout_sec enabled_tools disabled_tools required experimental_environment tools".split(
    " ",
  );

function serverOf(id: string, entry: unknown): RawServer {
  return readEntry(id, entry, carried, (fields) => {
    const passed = passedOn(own(fields, "env_vars"));
    const seconds = own(fields, "tool_timeout_sec");
    return {
      command: own(fields, "command"),
      args: own(fields, "args"),
      env: own(fields, "env"),
      passedOn: passed.names,
      cwd: own(fields, "cwd"),
      url: own(fields, "url"),
      headers: fixedHeaders(fields),
      readyHeaders: headersOf(fields),
      ...(seconds === undefined
        ? {}
        : { timeoutMs: typeof seconds === "number" ? seconds * 1000 : Number.NaN }),
      allowedTools: own(fields, "enabled_tools"),
      deniedTools: own(fields, "disabled_tools"),
      disabled: own(fields, "enabled") === false,
      notes: [...passed.notes, ...notesOn(fields)],
    };
  });
}

function notesOn(fields: Readonly<Record<string, unknown>>): string[] {
  const tools =
    own(fields, "tools") === undefined
      ? []
      : [
          "What its tools may do without a question is not carried over: Drawbridge asks, or give rules of your own.",
        ];
  const remote =
    own(fields, "experimental_environment") === undefined
      ? []
      : ["It may run on another machine in Codex; Drawbridge starts it on this one."];
  return [...tools, ...remote];
}

/** Headers with their values in the file, the bearer token among them. */
function fixedHeaders(fields: Readonly<Record<string, unknown>>): unknown {
  const token = own(fields, "bearer_token");
  const headers = own(fields, "http_headers");
  if (typeof token !== "string") return headers;
  return Object.fromEntries([...members(headers), ["Authorization", `Bearer ${token}`]]);
}

/** Names of variables; those of a remote machine are none here. */
function passedOn(value: unknown): { readonly names: string[]; readonly notes: string[] } {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const remote = list.filter((item) => member(item, "source") === "remote");
  const names = list.flatMap((item) => {
    const name = typeof item === "string" ? item : member(item, "name");
    return typeof name === "string" && !remote.includes(item) ? [name] : [];
  });
  const notes = remote.map(
    (item) => `The variable ${String(member(item, "name"))} of a remote machine is not carried over.`,
  );
  return { names, notes };
}

/** Headers whose value is a variable's, and the bearer token that is one. */
function headersOf(fields: Readonly<Record<string, unknown>>): [string, string][] {
  const token = own(fields, "bearer_token_env_var");
  const named = members(own(fields, "env_http_headers")).flatMap(([name, variable]): [string, string][] =>
    typeof variable === "string" ? [[name, `\${${variableName(variable)}}`]] : [],
  );
  return typeof token === "string"
    ? [...named, ["Authorization", `Bearer \${${variableName(token)}}`]]
    : named;
}

/** `config.toml` in `~/.codex` and in a project's `.codex`: tables `[mcp_servers.id]`. */
export const codex: HostReader = {
  host: "Codex",
  syntax: "none",
  places: (where) => [
    { file: joinPath(where, folderOf(where, "CODEX_HOME", ".codex"), "config.toml"), format: "toml" },
    { file: joinPath(where, where.cwd, ".codex", "config.toml"), format: "toml", project: where.cwd },
  ],
  read: (document) => members(member(document, "mcp_servers")).map(([id, entry]) => serverOf(id, entry)),
};
