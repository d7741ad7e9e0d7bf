import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type AddedServers, type AddServersOptions, addServersTo } from "../config/edit/add-servers.ts";
import { newFileText } from "../config/edit/new-file.ts";
import { createWhole } from "../config/edit/write-file.ts";
import { readEnvironment } from "../config/environment.ts";
import { findInFiles } from "../config/import/find.ts";
import { ownFileName, settingsPathsOf } from "../config/settings-paths.ts";
import type { FindServersOptions, FoundServers, WrittenServer } from "../types/found-servers.ts";

/**
 * The servers in the configuration files of other hosts. Reads those files and nothing else, starts nothing. Values
 * that look like secrets are left where they are: a variable stands for each, and a note says which. Never rejects.
 */
export function findServers(options: Partial<FindServersOptions> = {}): Promise<FoundServers> {
  return findInFiles({
    cwd: resolve(options.cwd ?? "."),
    home: options.home ?? homedir(),
    environment: options.environment ?? readEnvironment(),
    platform: options.platform ?? process.platform,
    scope: options.scope ?? "user",
  });
}

/** The config file of a project's folder, or the person's own. */
export function configFile(scope: "project" | "user", cwd = "."): string {
  return scope === "project" ? resolve(join(cwd, ownFileName)) : settingsPathsOf(readEnvironment()).userFile;
}

/**
 * Puts servers into the `mcpServers` of a config file, all of them or none. Comments and formatting stay; a file that
 * is not there is made, for the owner alone.
 * @throws HostError `config_invalid`: the file is not valid, or has another server of that id and `force` is not set;
 * `store_failed`: it cannot be read or written.
 */
export function addServers(
  file: string,
  servers: Readonly<Record<string, WrittenServer>>,
  options: AddServersOptions,
): Promise<AddedServers> {
  return addServersTo(file, new Map(Object.entries(servers)), options);
}

/**
 * Makes a config file with comments and no servers.
 * @throws HostError `config_invalid` when it is there already, `store_failed` when it cannot be written
 */
export function createConfigFile(file: string, scope: "project" | "user"): Promise<void> {
  return createWhole(file, newFileText(scope));
}
