import { own } from "../../util/own.ts";
import { commonEntry } from "./common-entry.ts";
import { member, members } from "./entries.ts";
import { applicationFolder, joinPath } from "./paths.ts";
import type { HostReader, PromptInput, RawServer } from "./raw-server.ts";

const editions = ["Code", "Code - Insiders"];

/** The questions of a file by id: `promptString`, `pickString`; what a `command` answers nobody else can know. */
function inputsOf(value: unknown): ReadonlyMap<string, PromptInput> {
  const list = Array.isArray(value) ? value : [];
  return new Map(
    list.flatMap((input: unknown): [string, PromptInput][] => {
      const id = member(input, "id");
      const fallback = member(input, "default");
      if (typeof id !== "string") return [];
      const password = member(input, "password") === true;
      return [[id, { password, ...(typeof fallback === "string" ? { default: fallback } : {}) }]];
    }),
  );
}

function serverOf(id: string, entry: unknown, inputs: ReadonlyMap<string, PromptInput>): RawServer {
  return commonEntry(id, entry, {
    more: (fields) => ({ inputs, env: withoutUnset(own(fields, "env")) }),
  });
}

/** `null` takes a variable away; the servers of Drawbridge get an allow-listed environment anyway. */
function withoutUnset(env: unknown): unknown {
  return env === undefined
    ? undefined
    : Object.fromEntries(members(env).filter(([, value]) => value !== null));
}

/** `mcp.json` of the person and of a workspace (`servers`, `inputs`), and `mcp` in either `settings.json`. */
export const vsCode: HostReader = {
  host: "VS Code",
  syntax: "editor",
  places: (where) => [
    ...editions.flatMap((edition) =>
      ["mcp.json", "settings.json"].map((name) => ({
        file: joinPath(where, applicationFolder(where), edition, "User", name),
        format: "jsonc" as const,
      })),
    ),
    ...["mcp.json", "settings.json"].map((name) => ({
      file: joinPath(where, where.cwd, ".vscode", name),
      format: "jsonc" as const,
      project: where.cwd,
    })),
  ],
  read(document, place) {
    const inSettings = place.file.endsWith("settings.json");
    const servers = inSettings
      ? (member(document, "mcp", "servers") ?? member(document, "mcp.servers"))
      : member(document, "servers");
    const inputs = inputsOf(
      inSettings
        ? (member(document, "mcp", "inputs") ?? member(document, "mcp.inputs"))
        : member(document, "inputs"),
    );
    return members(servers).map(([id, entry]) => serverOf(id, entry, inputs));
  },
};
