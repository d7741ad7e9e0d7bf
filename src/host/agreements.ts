import { HostError } from "../errors.ts";
import { openAgreementsFolder } from "../stores/agreements-file.ts";
import type { Agreements } from "../types/settings.ts";
import { systemClock } from "../util/clock.ts";
import { settingsPaths } from "./settings-paths.ts";

/**
 * The agreements to start servers of project files. Ask a person before `agree`: show the whole command or URL and
 * every variable with where it goes.
 */
export function openAgreements(options: { readonly state?: string } = {}): Agreements {
  const folder = openAgreementsFolder(settingsPaths(options.state).agreements);
  return {
    async agree(server, { annotations = false } = {}) {
      if (server.problem !== undefined) throw new HostError("config_invalid", server.problem);
      const { id, origin, configHash } = server;
      const file = "file" in origin ? origin.file : "";
      const agreedAt = new Date(systemClock.wall()).toISOString();
      await folder.put({ configHash, server: id, file, agreedAt, annotations });
    },
    withdraw: (server) => folder.remove(server),
    list: () => folder.list(),
  };
}
