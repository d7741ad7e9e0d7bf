import type { Connection, OpenContext } from "./connection.ts";
import { openHttp } from "./open-http.ts";
import { openStdio, spawnStdio } from "./open-stdio.ts";
import { openTransport } from "./open-transport.ts";

/** Opens a connection of the kind that the configuration names. A child process is spawned before this returns. */
export function openConnection(context: OpenContext): Promise<Connection> {
  const { config } = context;
  if ("command" in config) return openStdio(config, spawnStdio(config, context), context);
  if ("url" in config) return openHttp(config, context);
  return openTransport(config, context);
}
