import { resolve } from "node:path";
import type { ServerConfig } from "../types/config.ts";
import type { Json } from "../types/json.ts";
import { keyedHashHex, sha256Hex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";

/**
 * Identity of a server's configuration, as grants are bound to it: another command, folder, address or environment is
 * another server. Values of the environment enter as keyed hashes, so that the hash tells nobody a secret.
 */
export function configHash(id: string, config: ServerConfig, key: Uint8Array): string {
  return sha256Hex(stableJson(identityOf(id, config, key)));
}

function identityOf(id: string, config: ServerConfig, key: Uint8Array): Json {
  if ("command" in config) {
    const { command, args = [], cwd = ".", env = {} } = config;
    const hashed = Object.entries(env).map(([name, value]) => [name, keyedHashHex(key, value)] as const);
    return { type: "stdio", command, args, cwd: resolve(cwd), env: Object.fromEntries(hashed) };
  }
  if ("url" in config) {
    const headers = Object.keys(config.headers ?? {}).map((name) => name.toLowerCase());
    const http = { type: "http", url: config.url, headers: headers.sort() };
    if (config.auth === undefined) return http;
    // Another client, or another issuer, is another identity at the server; secrets are not part of it.
    const {
      clientSecret: _,
      privateKey: _key,
      assertion: _assertion,
      identityProvider,
      ...auth
    } = config.auth;
    const vouching = identityProvider && {
      issuer: identityProvider.issuer,
      clientId: identityProvider.clientId,
    };
    return { ...http, auth: { ...auth, ...(vouching && { identityProvider: vouching }) } as Json };
  }
  // A transport that the program made has nothing to compare but the name it was given.
  return { type: "transport", id };
}
