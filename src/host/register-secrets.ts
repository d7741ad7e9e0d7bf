import { secretValues } from "../config/secret-values.ts";
import type { ServerConfig } from "../types/config.ts";
import type { Secrets } from "../types/ports.ts";

/** Makes the secrets in a server's config known, each by the server's id, or who else they belong to, and its own name. */
export function registerSecrets(owner: string, config: ServerConfig, secrets: Secrets): void {
  for (const [name, value] of secretValues(config)) secrets.register(`${owner} ${name}`, value);
}
