import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SpillStore } from "../types/stores.ts";
import { randomId } from "../util/random-id.ts";
import { ensureFolder, readable, writeWhole } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

/** Longest text that is kept: twice what a server may send, as UTF-8. */
export const maxSpillBytes: number = 64 * 1024 * 1024;

export function spillFolder(folder: string): string {
  return join(folder, "spill");
}

/** Full outputs as files, one folder a run. A run's id and a text's random id together are the right to read it. */
export function createSpillFiles(folder: string): SpillStore {
  const root = spillFolder(folder);
  const fail = (cause: unknown) => storeError("store_failed", "An output cannot be kept", root, cause);

  return {
    async put(runId, text) {
      if (!isStoreId(runId)) throw fail(new Error("the run's id is not made of letters, digits, _ and -"));
      if (Buffer.byteLength(text) > maxSpillBytes) throw fail(new Error("it is longer than 64 MiB"));
      const id = randomId("spill", 16);
      try {
        ensureFolder(join(root, runId));
        await writeWhole(join(root, runId, id), text);
      } catch (error) {
        throw fail(error);
      }
      return id;
    },
    async get(runId, id) {
      if (!isStoreId(runId) || !isStoreId(id)) return null;
      const path = join(root, runId, id);
      try {
        if ((await stat(path)).size > maxSpillBytes) return null;
        return await readFile(path, { encoding: "utf8", flag: readable });
      } catch (error) {
        if (systemCode(error) === "ENOENT") return null;
        throw fail(error);
      }
    },
  };
}
