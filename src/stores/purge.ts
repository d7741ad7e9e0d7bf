import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { runsFolder } from "./journal-path.ts";
import { spillFolder } from "./spill-file.ts";
import { storeError, systemCode } from "./store-error.ts";

async function purgeFolder(folder: string, before: number): Promise<number> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const changed = await stat(path).catch(() => null);
    if (changed === null || changed.mtimeMs >= before) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/**
 * Removes stored runs and outputs kept aside that nothing was added to since `beforeMs` (milliseconds since the
 * epoch). The audit log stays. Returns how many of each were removed; rejects with `store_failed`.
 */
export async function purgeStores(
  folder: string,
  beforeMs: number,
): Promise<{ readonly runs: number; readonly spilled: number }> {
  try {
    const runs = await purgeFolder(runsFolder(folder), beforeMs);
    return { runs, spilled: await purgeFolder(spillFolder(folder), beforeMs) };
  } catch (error) {
    throw storeError("store_failed", "Old runs cannot be removed", folder, error);
  }
}
