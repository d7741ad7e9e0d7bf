import { join } from "node:path";
import { findServers } from "../../src/host/import-servers.ts";
import type { FoundServers } from "../../src/types/found-servers.ts";

const fixtures = join(import.meta.dirname, "fixtures");
export const home: string = join(fixtures, "home");
export const project: string = join(fixtures, "project");

/** Everything in the fixtures, with their folders as `~` and `.`, so that the result is the same everywhere. */
export async function foundInFixtures(scope: "project" | "user" = "user"): Promise<FoundServers> {
  const found = await findServers({ cwd: project, home, environment: {}, platform: "linux", scope });
  return JSON.parse(JSON.stringify(found).replaceAll(project, ".").replaceAll(home, "~"));
}
