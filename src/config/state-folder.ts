import { isAbsolute, join } from "node:path";
import envPaths from "env-paths";
import { HostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";
import type { Environment } from "./environment.ts";

/**
 * The folder that `DRAWBRIDGE_HOME` names; undefined when it is not set.
 * @throws HostError `config_invalid` for a path that would be another folder wherever one is
 */
export function namedHome({ DRAWBRIDGE_HOME: home }: Environment): string | undefined {
  if (home === undefined || home === "") return undefined;
  if (isAbsolute(home)) return home;
  const shown = visibleLine(JSON.stringify(home.slice(0, 200)));
  throw new HostError("config_invalid", `DRAWBRIDGE_HOME must be an absolute path, not ${shown}.`);
}

/**
 * Where state is kept: `DRAWBRIDGE_HOME/state` when that is set, else the XDG state folder, and on other systems the
 * folder for an application's own files.
 */
export function stateFolder(environment: Environment): string {
  const home = namedHome(environment);
  if (home !== undefined) return join(home, "state");
  const paths = envPaths("drawbridge", { suffix: "" });
  return accountFolder(process.platform === "linux" ? paths.log : paths.data);
}

/**
 * The folder in the account's home. An empty HOME would make it one of the folder that one is in, where a project's file
 * would count as the person's own.
 * @throws HostError `config_invalid`
 */
export function accountFolder(folder: string): string {
  if (isAbsolute(folder)) return folder;
  throw new HostError(
    "config_invalid",
    `The folder ${visibleLine(folder)} would be another one wherever one is: set HOME, or DRAWBRIDGE_HOME, to an absolute path.`,
  );
}
