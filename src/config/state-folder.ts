import { join } from "node:path";
import envPaths from "env-paths";
import type { Environment } from "./environment.ts";

/**
 * Where state is kept: `DRAWBRIDGE_HOME/state` when that is set, else the XDG state folder, and on other systems the
 * folder for an application's own files.
 */
export function stateFolder(environment: Environment): string {
  const home = environment.DRAWBRIDGE_HOME;
  if (home !== undefined && home !== "") return join(home, "state");
  const paths = envPaths("drawbridge", { suffix: "" });
  return process.platform === "linux" ? paths.log : paths.data;
}
