import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StoredLogin, TokenStore } from "../types/auth.ts";
import type { Clock } from "../types/ports.ts";
import { nativeHash } from "./native-hash.ts";
import { ensureFolder, writeWhole } from "./private-file.ts";
import { takeLock } from "./process-lock.ts";
import { ForeignFileError, readOwnFile } from "./read-own-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import { parseLogin } from "./token-login.ts";

const fileName = /^[0-9a-f]{64}\.json$/;
/** A longer file is none of ours. */
const maxFileBytes = 256 * 1024;
/** How often a lock that somebody else holds is asked for. */
const askAgainMs = 40;

/** Logins as files for the owner alone, one each, in a folder of their own. Touches nothing until something is kept. */
export function createTokenFiles(folder: string, clock: Clock): TokenStore {
  const pathOf = (key: string) => join(folder, `${nativeHash(key)}.json`);

  async function exclusive<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await lock(`${pathOf(key)}.lock`, folder, clock, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return {
    async read(key) {
      return (await readLogin(pathOf(key)))?.login ?? null;
    },
    async write(key, login) {
      const path = pathOf(key);
      try {
        ensureFolder(folder);
        if (login === null) await rm(path, { force: true });
        else await writeWhole(path, `${JSON.stringify({ key, ...login })}\n`);
      } catch (error) {
        throw storeError("store_failed", "The login cannot be stored", path, error);
      }
    },
    exclusive,
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        if (systemCode(error) === "ENOENT") return [];
        throw storeError("store_failed", "The logins cannot be listed", folder, error);
      });
      const paths = names.filter((name) => fileName.test(name)).sort();
      const read = await Promise.all(paths.map((name) => readLogin(join(folder, name))));
      return read.flatMap((found) => (found === null ? [] : [[found.key, found.login] as const]));
    },
  };
}

/** Null for what is damaged, foreign, or stands under another name than its key's. */
async function readLogin(
  path: string,
): Promise<{ readonly key: string; readonly login: StoredLogin } | null> {
  let text: string;
  try {
    text = await readOwnFile(path, { maxBytes: maxFileBytes, othersMayWrite: true });
  } catch (error) {
    if (error instanceof ForeignFileError || systemCode(error) === "ENOENT") return null;
    throw storeError("store_failed", "The login cannot be read", path, error);
  }
  const login = parseLogin(text);
  if (login === null) return null;
  const { key, ...rest } = login as StoredLogin & { readonly key?: unknown };
  if (typeof key !== "string" || !path.endsWith(`${nativeHash(key)}.json`)) return null;
  return { key, login: rest };
}

/** Waits until nobody holds the lock. The lock of a process that died is taken over. */
async function lock(path: string, folder: string, clock: Clock, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    signal.throwIfAborted();
    let taken: ReturnType<typeof takeLock>;
    try {
      ensureFolder(folder);
      taken = takeLock(path);
    } catch (error) {
      throw storeError("store_failed", "The logins cannot be locked", path, error);
    }
    if (typeof taken === "function") return taken;
    await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
  }
}
