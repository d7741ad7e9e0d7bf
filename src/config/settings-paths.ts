import { join } from "node:path";
import envPaths from "env-paths";
import type { SettingsPaths } from "../types/settings.ts";
import { administratorPath } from "./administrator-path.ts";
import type { Environment } from "./environment.ts";
import { accountFolder, namedHome, stateFolder } from "./state-folder.ts";

/** The name of our own file, in a project and in the config folder. */
export const ownFileName = "drawbridge.json";

/**
 * Where everything is kept, below `DRAWBRIDGE_HOME` when that is set. `state` replaces the state folder alone.
 */
export function settingsPathsOf(environment: Environment, state?: string): SettingsPaths {
  const home = namedHome(environment);
  const configFolder =
    home === undefined ? accountFolder(envPaths("drawbridge", { suffix: "" }).config) : join(home, "config");
  const folder = state ?? stateFolder(environment);
  return {
    configFolder,
    userFile: join(configFolder, ownFileName),
    administratorFile: administratorPath(),
    stateFolder: folder,
    audit: join(folder, "audit"),
    runs: join(folder, "runs"),
    spill: join(folder, "spill"),
    agreements: join(folder, "agreements"),
  };
}
