import { loginKey } from "../connections/auth/auth-context.ts";
import type { TokenStore } from "../types/auth.ts";
import type { ServerConfig } from "../types/config.ts";

/** A store of logins that remembers at which servers this process used one. */
export interface WatchedLogins {
  readonly store: TokenStore;
  hasLogin(config: ServerConfig): boolean;
}

export function watchLogins(store: TokenStore, principal: string): WatchedLogins {
  const used = new Set<string>();
  const keys = new WeakMap<ServerConfig, string>();

  return {
    store: {
      async read(key) {
        const login = await store.read(key);
        if (login !== null) used.add(key);
        return login;
      },
      async write(key, login) {
        if (login !== null) used.add(key);
        await store.write(key, login);
      },
      exclusive: (key, signal, work) => store.exclusive(key, signal, work),
      list: () => store.list(),
    },
    hasLogin(config) {
      if (used.size === 0 || !("url" in config)) return false;
      const key =
        keys.get(config) ?? loginKey({ principal, server: new URL(config.url), auth: config.auth ?? {} });
      keys.set(config, key);
      return used.has(key);
    },
  };
}
