import { join, resolve } from "node:path";
import { HostError } from "../../errors.ts";
import type { ModelPrice } from "../../types/price.ts";
import type { ConfigFile, LoadedConfig, Setting } from "../../types/settings.ts";
import type { Environment } from "../environment.ts";
import { defaultLimits } from "../limits.ts";
import { ownFileName } from "../settings-paths.ts";
import { type AdministratorSettings, readAdministratorFile } from "./administrator-file.ts";
import { mergeAudit } from "./audit-settings.ts";
import { type Report, readSettingsFile, shownPath, shownWarnings, throwProblems } from "./document.ts";
import type { Located } from "./members.ts";
import { mergeLimits, mergeMaxTokens } from "./merge-limits.ts";
import { type MergedServer, mergeServers } from "./merge-servers.ts";
import { originIn } from "./origin.ts";
import { parseSettings } from "./parse.ts";
import { mergePolicy } from "./policy-settings.ts";
import { projectFolder, sharedFileName } from "./project-folder.ts";
import { type CheckRule, type FileSettings, readSettings } from "./read-settings.ts";

export interface FilesToRead {
  /** Absolute. */
  readonly cwd: string;
  /** Named by the person: takes the place of all others. */
  readonly file?: string;
  readonly userFile: string;
  /** Read whatever else is. */
  readonly administratorFile: string;
  readonly userHome: string;
  readonly environment: Environment;
  readonly checkRule: CheckRule;
}

/** A configuration before it is known which servers the person agreed to. */
export interface MergedConfig extends Omit<LoadedConfig, "servers"> {
  readonly servers: readonly MergedServer[];
}

/**
 * Reads and merges all config files.
 * @throws HostError `config_invalid`: the first problems of all files, one a line
 */
export async function readConfigFiles(settings: FilesToRead): Promise<MergedConfig> {
  const { cwd, userHome, environment } = settings;
  const report: Report = { problems: [], warnings: [] };
  const files: ConfigFile[] = [];
  const read: FileSettings[] = [];
  for (const place of await placesToLook(settings)) {
    const { found, said } = await readFile(place, settings, report);
    files.push({ ...place, found });
    if (said !== null) read.push(said);
  }
  const { administratorFile, checkRule } = settings;
  const administrator = await readAdministratorFile(administratorFile, checkRule, report);
  if (administrator !== null) files.push({ path: administratorFile, scope: "administrator", found: true });
  const limits = mergeLimits(read, report);
  const maxTokens = mergeMaxTokens(read, report);
  const audit = mergeAudit(read, administrator, shownPath(settings.userFile, cwd), report);
  const callHardMs = limits.callHardMs?.value ?? defaultLimits.callHardMs;
  const servers = mergeServers(read, { cwd, userHome, environment, callHardMs }, report);
  throwProblems(report);
  return {
    files,
    servers,
    ...lastOf("model", read),
    ...lastOf("baseUrl", read),
    fallbackModels: allOf("fallbackModels", "user", read),
    ...lastOf("system", read),
    ...lastOf("resourceTools", read),
    ...lastOf("wrapResults", read),
    ...flowsOf(read, administrator),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    limits,
    ...mergePolicy(read, administrator),
    ...(administrator?.drift === undefined
      ? {}
      : { drift: { value: "block", origin: originIn(administrator.document, administrator.drift.offset) } }),
    trust: allOf("trust", "user", read),
    prices: pricesOf(read),
    audit,
    warnings: shownWarnings(report),
  };
}

/** In the order of their weight. */
async function placesToLook({
  cwd,
  file,
  userFile,
  userHome,
}: FilesToRead): Promise<readonly Omit<ConfigFile, "found">[]> {
  if (file !== undefined) return [{ path: resolve(cwd, file), scope: "user" }];
  const folder = await projectFolder(cwd, userHome);
  const inProject = [join(folder, sharedFileName), join(folder, ownFileName)];
  const user = { path: userFile, scope: "user" } as const;
  return [
    ...inProject.filter((path) => path !== userFile).map((path) => ({ path, scope: "project" }) as const),
    user,
  ];
}

async function readFile(
  place: Omit<ConfigFile, "found">,
  { cwd, file, userFile, checkRule }: FilesToRead,
  report: Report,
): Promise<{ readonly found: boolean; readonly said: FileSettings | null }> {
  const shown = shownPath(place.path, cwd);
  const text = await readSettingsFile(place.path, shown);
  if (text === null && file !== undefined) {
    throw new HostError(
      "config_invalid",
      `${shown}: there is no such file; name another, or leave --config out.`,
    );
  }
  const document = text === null ? null : await parseSettings(text, { ...place, shown }, report);
  return {
    found: text !== null,
    said: document === null ? null : readSettings(document, shownPath(userFile, cwd), checkRule, report),
  };
}

type LastOf<K extends keyof FileSettings> = {
  readonly [Key in K]?: Setting<NonNullable<FileSettings[Key]> extends Located<infer T> ? T : never>;
};

/** What a project made stricter stays so, and what an administrator did. */
function flowsOf(
  files: readonly FileSettings[],
  administrator: AdministratorSettings | null,
): Pick<LoadedConfig, "flows"> {
  if (administrator?.flows !== undefined) {
    return {
      flows: { value: "always", origin: originIn(administrator.document, administrator.flows.offset) },
    };
  }
  const file =
    files.find(({ document, flows }) => document.scope === "project" && flows !== undefined) ??
    files.findLast(({ flows }) => flows !== undefined);
  return file?.flows === undefined ? {} : { flows: settingOf(file, file.flows) };
}

function lastOf<K extends "model" | "baseUrl" | "system" | "resourceTools" | "wrapResults">(
  key: K,
  files: readonly FileSettings[],
): LastOf<K> {
  const file = files.findLast((candidate) => candidate[key] !== undefined);
  const found = file?.[key];
  if (file === undefined || found === undefined) return {};
  return { [key]: settingOf<string | boolean>(file, found) } as LastOf<K>;
}

/** By model; the last file that names one gives its whole price. */
function pricesOf(files: readonly FileSettings[]): Readonly<Record<string, Setting<ModelPrice>>> {
  return Object.fromEntries(
    files.flatMap((file) => file.prices.map(([model, price]) => [model, settingOf(file, price)] as const)),
  );
}

function allOf(
  key: "trust" | "fallbackModels",
  scope: "project" | "user",
  files: readonly FileSettings[],
): readonly Setting<string>[] {
  return files
    .filter(({ document }) => document.scope === scope)
    .flatMap((file) => file[key].map((found) => settingOf(file, found)));
}

function settingOf<T>({ document }: FileSettings, { value, offset }: Located<T>): Setting<T> {
  return { value, origin: originIn(document, offset) };
}
