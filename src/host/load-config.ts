import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ownFileName } from "../config/settings-paths.ts";
import { configHash } from "../connections/config-hash.ts";
import { loadHashKey } from "../stores/hash-key.ts";
import type { ServerConfig } from "../types/config.ts";
import type { ConfiguredServer, LoadedConfig, SettingOrigin } from "../types/settings.ts";
import { isObject } from "../util/own.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { openAgreements } from "./agreements.ts";
import { settingsPaths } from "./settings-paths.ts";

export interface LoadConfigOptions {
  /** Where the search for the project's files begins. Default: the working directory. */
  readonly cwd?: string;
  /** Read in the place of the project's and the user's file: a person named it, so it may say anything. */
  readonly file?: string;
  /** The state folder, where agreements are. Default: the one of `createHost`. */
  readonly state?: string;
}

/**
 * Reads and merges the config files. Starts nothing.
 * @throws HostError `config_invalid`: a problem a line, `FILE:LINE:COLUMN: sentence`.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const cwd = resolve(options.cwd ?? ".");
  const paths = settingsPaths(options.state);
  const files =
    options.file === undefined
      ? [
          { path: join(cwd, ".mcp.json"), scope: "project" as const },
          { path: join(cwd, ownFileName), scope: "project" as const },
          { path: paths.userFile, scope: "user" as const },
        ]
      : [{ path: resolve(cwd, options.file), scope: "user" as const }];
  const { parse } = await import("jsonc-parser");
  const key = await loadHashKey(join(paths.stateFolder, "hash-key"));
  const agreed = new Set((await openAgreements(options).list()).map((agreement) => agreement.configHash));
  const servers = new Map<string, ConfiguredServer>();
  const found = [];
  for (const { path, scope } of files) {
    const text = await readFile(path, "utf8").catch(() => null);
    found.push({ path, scope, found: text !== null });
    const value: unknown = text === null ? null : parse(text, [], { allowTrailingComma: true });
    if (!isObject(value) || !isObject(value.mcpServers)) continue;
    for (const [id, entry] of Object.entries(value.mcpServers)) {
      if (!isObject(entry)) continue;
      const origin: SettingOrigin = { type: scope, file: path, line: 1 };
      const folder = scope === "project" ? dirname(path) : homedir();
      const config = ("command" in entry ? { cwd: folder, ...entry } : entry) as unknown as ServerConfig;
      const hash = configHash(id, config, key);
      servers.set(id, {
        id,
        config,
        written: config,
        variables: [],
        origin,
        disabled: entry.disabled === true,
        pending: scope === "project" && !agreed.has(hash),
        configHash: hash,
      });
    }
  }
  const ordered = [...servers.values()].sort((a, b) => compareCodeUnits(a.id, b.id));
  return { files: found, servers: ordered, limits: {}, rules: [], projectRules: [], trust: [], warnings: [] };
}
