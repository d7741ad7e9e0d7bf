import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type JournalName, journalNames, openingOf } from "./journal-list.ts";
import { lockPath, parseRecord, runsFolder } from "./journal-path.ts";
import { lockHolder, takeLock } from "./process-lock.ts";
import { readLines } from "./read-lines.ts";
import { spillFolder } from "./spill-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

/** Which stored conversations are to go. */
export interface Purge {
  /** Those that nothing was added to since, in milliseconds since the epoch. */
  readonly beforeMs?: number;
  /** Only these. */
  readonly ids?: readonly string[];
  /** Only those of this principal, and those that nobody can say whose they are. Without it: everybody's. */
  readonly principal?: string;
  /** Says what would go and removes nothing. */
  readonly dryRun?: boolean;
}

export interface PurgeReport {
  /** Ids of the conversations that are gone, or would be. */
  readonly removed: readonly string[];
  /** Ids of those that somebody writes at this moment: they stay. */
  readonly inUse: readonly string[];
  /** Ids that were asked for and are not there. */
  readonly missing: readonly string[];
}

function isWanted(journal: JournalName, { beforeMs, ids, principal }: Purge): boolean {
  if (beforeMs !== undefined && journal.changedMs >= beforeMs) return false;
  if (ids !== undefined && !ids.includes(journal.id)) return false;
  return principal === undefined || (openingOf(journal)?.principal ?? principal) === principal;
}

/**
 * Removes stored conversations with the outputs that their runs kept aside. One that is being written stays. The audit
 * log stays. Rejects with `store_failed`.
 */
export async function purgeJournals(folder: string, purge: Purge): Promise<PurgeReport> {
  const removed: string[] = [];
  const inUse: string[] = [];
  const wanted = (await journalNames(folder)).filter((journal) => isWanted(journal, purge));
  try {
    for (const journal of wanted) {
      const gone = purge.dryRun === true ? isFree(folder, journal.id) : await remove(folder, journal);
      (gone ? removed : inUse).push(journal.id);
    }
  } catch (error) {
    throw storeError("store_failed", "Stored conversations cannot be removed", folder, error);
  }
  const found = new Set(wanted.map(({ id }) => id));
  return { removed, inUse, missing: (purge.ids ?? []).filter((id) => !found.has(id)) };
}

function isFree(folder: string, id: string): boolean {
  return lockHolder(lockPath(folder, id)) === null;
}

async function remove(folder: string, { id, path }: JournalName): Promise<boolean> {
  const release = takeLock(lockPath(folder, id));
  if (typeof release !== "function") return false;
  try {
    const runs = await runsOf(path);
    for (const run of runs) rmSync(join(spillFolder(folder), run), { recursive: true, force: true });
    rmSync(path, { force: true });
    return true;
  } finally {
    release();
  }
}

/** Ids of the runs in a journal. */
async function runsOf(path: string): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  for await (const { text } of readLines(path)) {
    if (text?.startsWith('{"kind":"run_started"') !== true) continue;
    const run = parseRecord(text)?.run;
    if (typeof run === "string" && isStoreId(run)) runs.add(run);
  }
  return runs;
}

/** Removes what nothing was added to since `beforeMs`, journals apart. Returns how many. */
async function purgeFolder(folder: string, beforeMs: number): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  let removed = 0;
  for (const name of names) {
    // They go with a lock, or stay.
    if (name.endsWith(".jsonl") || name.endsWith(".lock")) continue;
    const path = join(folder, name);
    const changed = await stat(path).catch(() => null);
    if (changed === null || changed.mtimeMs >= beforeMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/**
 * Removes stored conversations and outputs kept aside that nothing was added to since `beforeMs` (milliseconds since
 * the epoch), whoever's they are. The audit log stays. Returns how many of each were removed; rejects with
 * `store_failed`.
 */
export async function purgeStores(
  folder: string,
  beforeMs: number,
): Promise<{ readonly runs: number; readonly spilled: number }> {
  try {
    const spilled = await purgeFolder(spillFolder(folder), beforeMs);
    const { removed } = await purgeJournals(folder, { beforeMs });
    // What a process that was killed left beside its journals.
    await purgeFolder(runsFolder(folder), beforeMs);
    return { runs: removed.length, spilled };
  } catch (error) {
    throw storeError("store_failed", "Old runs cannot be removed", folder, error);
  }
}
