import { readEnvironment } from "../config/environment.ts";
import { settingsPathsOf } from "../config/settings-paths.ts";
import type { SettingsPaths } from "../types/settings.ts";

/** Where configuration and state are kept. `state` is the state folder that a host was given, when it was. */
export function settingsPaths(state?: string): SettingsPaths {
  return settingsPathsOf(readEnvironment(), state);
}
