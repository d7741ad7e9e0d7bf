import { secretValues } from "../config/secret-values.ts";
import type { ServerPrivacy } from "../consent/labels.ts";
import type { ServerConfig } from "../types/config.ts";

const unknown: ServerPrivacy = { stated: null, credentials: false, local: true };

/**
 * What the configs say of the privacy of their servers' content. A program, and a transport of the program itself, has
 * the rights of the person; `hasLogin` says whether somebody is logged in at the URL of a server.
 */
export function createPrivacy(
  servers: readonly (readonly [id: string, config: ServerConfig])[],
  hasLogin: (config: ServerConfig) => boolean,
): (server: string) => ServerPrivacy {
  const known = new Map(
    servers.map(([id, config]) => {
      const stated = config.private ?? null;
      const auth = "url" in config && config.auth !== undefined;
      const credentials = auth || secretValues(config).length > 0;
      return [id, { config, privacy: { stated, credentials, local: !("url" in config) } }] as const;
    }),
  );
  return (server) => {
    const found = known.get(server);
    if (found === undefined) return unknown;
    const { config, privacy } = found;
    return privacy.credentials || !hasLogin(config) ? privacy : { ...privacy, credentials: true };
  };
}
