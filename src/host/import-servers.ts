import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { AddedServers, AddServersOptions } from "../config/edit/add-servers.ts";
import { readEnvironment } from "../config/environment.ts";
import { ownFileName, settingsPathsOf } from "../config/settings-paths.ts";
import type { FindServersOptions, FoundServers, ImportHost, WrittenServer } from "../types/found-servers.ts";

/** Hosts whose files are read, in the order in which their servers are listed. */
export const importHosts: readonly ImportHost[] = [
  "Claude Desktop",
  "Claude Code",
  "Cursor",
  "VS Code",
  "Windsurf",
  "Codex",
  "Gemini CLI",
  "opencode",
  "Goose",
  "Zed",
];

/**
 * The servers in the configuration files of other hosts. Reads those files and nothing else, starts nothing. Values
 * that look like secrets are left where they are: a variable stands for each, and a note says which. A file that
 * cannot be read is a problem in the answer, not an error.
 */
export async function findServers(options: Partial<FindServersOptions> = {}): Promise<FoundServers> {
  const { findInFiles } = await import("../config/import/find.ts");
  return findInFiles({
    cwd: resolve(options.cwd ?? "."),
    home: options.home ?? homedir(),
    environment: options.environment ?? readEnvironment(),
    platform: options.platform ?? process.platform,
    scope: options.scope ?? "user",
  });
}

/** The path of the config file of a project's folder, or of the person's own. */
export function configFile(scope: "project" | "user", cwd = "."): string {
  return scope === "project" ? resolve(join(cwd, ownFileName)) : settingsPathsOf(readEnvironment()).userFile;
}

/**
 * Puts servers into the `mcpServers` of a config file, all of them or none. Comments and formatting stay; a file that
 * is not there is made, for the owner alone.
 * @throws HostError `config_invalid`: the file is not valid, or has another server of that id and `force` is not set;
 * `store_failed`: it cannot be read or written.
 */
export async function addServers(
  file: string,
  servers: Readonly<Record<string, WrittenServer>>,
  options: AddServersOptions,
): Promise<AddedServers> {
  const { addServersTo } = await import("../config/edit/add-servers.ts");
  return addServersTo(file, new Map(Object.entries(servers)), options);
}

/**
 * Makes a config file with comments and no servers.
 * @throws HostError `config_invalid` when it is there already, `store_failed` when it cannot be written
 */
export async function createConfigFile(file: string, scope: "project" | "user"): Promise<void> {
  const [{ newFileText }, { createWhole }] = await Promise.all([
    import("../config/edit/new-file.ts"),
    import("../config/edit/write-file.ts"),
  ]);
  await createWhole(file, newFileText(scope));
}
