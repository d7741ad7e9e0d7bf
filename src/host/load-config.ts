import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readEnvironment } from "../config/environment.ts";
import type { MergedServer } from "../config/settings/merge-servers.ts";
import { readConfigFiles } from "../config/settings/read-files.ts";
import type { CheckRule } from "../config/settings/read-settings.ts";
import { settingsPathsOf } from "../config/settings-paths.ts";
import { configHash } from "../connections/config-hash.ts";
import { parseProjectRules, parseRules } from "../consent/rules.ts";
import { toHostError } from "../errors.ts";
import { openAgreementsFolder } from "../stores/agreements-file.ts";
import { hashKeyPath, loadHashKey } from "../stores/hash-key.ts";
import type { Agreement, ConfiguredServer, LoadedConfig, Setting } from "../types/settings.ts";
import { keyedHashHex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";

export interface LoadConfigOptions {
  /** Where the search for the project's files begins. Default: the working directory. */
  readonly cwd?: string;
  /** Read in the place of the project's and the user's file: a person named it, so it may say anything. */
  readonly file?: string;
  /** The state folder, where agreements are. Default: the one of `createHost`. */
  readonly state?: string;
  /**
   * Whose rules hold above all others; a broken one ends the loading. Default: the place that `settingsPaths` names, which
   * no variable moves.
   */
  readonly administratorFile?: string;
}

/**
 * Reads and merges the config files. Starts nothing, and asks nobody: servers of a project's file are pending until
 * `openAgreements` has the person's word for them.
 * @throws HostError `config_invalid`: the first problems, one a line, each `FILE:LINE:COLUMN: sentence`
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const environment = readEnvironment();
  const paths = settingsPathsOf(environment, options.state);
  const { servers, warnings, ...merged } = await readConfigFiles({
    cwd: resolve(options.cwd ?? "."),
    ...(options.file === undefined ? {} : { file: options.file }),
    userFile: paths.userFile,
    administratorFile: options.administratorFile ?? paths.administratorFile,
    userHome: homedir(),
    environment,
    checkRule,
  });
  const trouble: string[] = [];
  const key = servers.length === 0 ? new Uint8Array() : await keyOf(paths.stateFolder, trouble);
  const isProjects = servers.some(({ scope }) => scope === "project");
  const agreements = isProjects ? await openAgreementsFolder(paths.agreements).list() : [];
  const agreed = new Map(agreements.map((agreement) => [agreement.configHash, agreement]));
  const configured = servers.map((server) => withAgreement(server, key, agreed));
  return {
    ...merged,
    servers: configured,
    trust: [...merged.trust, ...agreedTrust(configured, agreed, paths.agreements)],
    warnings: [...warnings, ...trouble],
  };
}

const checkRule: CheckRule = (rule, scope) => {
  try {
    if (scope === "project") parseProjectRules([rule]);
    else parseRules([rule], scope);
    return null;
  } catch (thrown) {
    return toHostError(thrown).message;
  }
};

/** Without the key nothing that was agreed can be recognised: a key of the moment then keeps every server pending. */
async function keyOf(stateFolder: string, trouble: string[]): Promise<Uint8Array> {
  try {
    return await loadHashKey(hashKeyPath(stateFolder));
  } catch (thrown) {
    trouble.push(`No agreement to start a project's servers can be read. ${toHostError(thrown).message}`);
    return randomBytes(32);
  }
}

function withAgreement(
  { scope, ...server }: MergedServer,
  key: Uint8Array,
  agreed: ReadonlyMap<string, Agreement>,
): ConfiguredServer {
  const hash = agreementHash(server, key);
  return {
    ...server,
    pending: scope === "project" && !server.disabled && !agreed.has(hash),
    configHash: hash,
  };
}

/**
 * What an agreement is bound to: besides the config's identity the id, because rules go by it, and where which value
 * goes: a project's file must not send another variable to a server that was agreed to. Keyed, because it is shown and
 * an argument may hold a short secret.
 */
function agreementHash(server: Omit<MergedServer, "scope">, key: Uint8Array): string {
  const { id, config, written, variables } = server;
  const headers = "url" in written ? Object.entries(written.headers ?? {}) : [];
  return keyedHashHex(
    key,
    stableJson({
      id,
      config: configHash(id, config, key),
      headers: headers.map(([name, value]) => [name, keyedHashHex(key, value)]),
      variables: variables.map(({ name, place }) => [name, place]),
    }),
  );
}

/** Servers whose annotations the person believes since they were agreed to. */
function agreedTrust(
  servers: readonly ConfiguredServer[],
  agreed: ReadonlyMap<string, Agreement>,
  folder: string,
): readonly Setting<string>[] {
  return servers
    .filter(
      ({ origin, configHash }) => origin.type === "project" && agreed.get(configHash)?.annotations === true,
    )
    .map(({ id, configHash }) => ({
      value: id,
      origin: { type: "user", file: join(folder, `${configHash}.json`), line: 1 },
    }));
}
