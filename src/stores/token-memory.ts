import type { StoredLogin, TokenStore } from "../types/auth.ts";

/** Logins that end with the process. */
export function createTokenMemory(): TokenStore {
  const logins = new Map<string, StoredLogin>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    read: async (key) => logins.get(key) ?? null,
    async write(key, login) {
      if (login === null) logins.delete(key);
      else logins.set(key, login);
    },
    exclusive<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const before = turns.get(key) ?? Promise.resolve();
      const turn = before.then(async () => {
        signal.throwIfAborted();
        return work();
      });
      const over = turn.catch(() => {});
      turns.set(key, over);
      void over.then(() => {
        if (turns.get(key) === over) turns.delete(key);
      });
      return turn;
    },
    list: async () => [...logins],
  };
}
