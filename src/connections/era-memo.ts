import type { HttpServerConfig, StdioServerConfig } from "../types/config.ts";
import type { JsonObject } from "../types/json.ts";
import { sha256Hex } from "../util/hash.ts";
import { isObject } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";
import type { OpenContext } from "./connection.ts";
import type { Era } from "./protocol.ts";

/** How long a verdict is believed: a server may learn the newer era with its next version. */
const horizonMs = 7 * 24 * 60 * 60 * 1000;

/** The era a server was last seen to speak. */
export interface EraMemo {
  get(): Era | null;
  set(era: Era): void;
  forget(): void;
}

/**
 * Remembers by what is started or reached, not by the server's id: the same command has the same era under every name.
 * Another version of the host asks anew, as it may know more eras.
 */
export function createEraMemo(
  config: StdioServerConfig | HttpServerConfig,
  { memo, clock, identity }: Pick<OpenContext, "memo" | "clock" | "identity">,
): EraMemo {
  const key = `era:${sha256Hex(stableJson({ ...placeOf(config), host: identity.version }))}`;
  return {
    get() {
      const known = memo.get(key);
      if (!isObject(known) || typeof known.at !== "number" || clock.wall() - known.at > horizonMs)
        return null;
      return known.era === "modern" || known.era === "legacy" ? known.era : null;
    },
    set: (era) => memo.set(key, { era, at: clock.wall() }),
    forget: () => memo.delete(key),
  };
}

function placeOf(config: StdioServerConfig | HttpServerConfig): JsonObject {
  if ("url" in config) {
    const headers = Object.keys(config.headers ?? {}).map((name) => name.toLowerCase());
    return { url: config.url, headers: headers.sort() };
  }
  const { command, args = [], cwd = null, env = {} } = config;
  return { command, args, cwd, env: Object.keys(env).sort() };
}
