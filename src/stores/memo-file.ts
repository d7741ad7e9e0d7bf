import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Json } from "../types/json.ts";
import type { Clock } from "../types/ports.ts";
import type { Memo } from "../types/stores.ts";
import { type MemoEntries, memoText, parseMemo, remember } from "./memo-entries.ts";
import { ensureFolder, writeWhole } from "./private-file.ts";

/** Time in which changes are gathered into one writing. */
const writeAfterMs = 200;
/** A longer file is none of ours. */
const maxFileBytes = 32 * 1024 * 1024;

export interface MemoFile extends Memo {
  /** Writes what has changed. Never rejects: losing it only costs time. */
  flush(): Promise<void>;
}

function load(path: string): MemoEntries {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > maxFileBytes) return new Map();
    return parseMemo(readFileSync(path, "utf8"));
  } catch {
    return new Map();
  }
}

/**
 * Facts in one small JSON file, read with the first question and written whole a moment after a change. Changes are
 * applied to the file as it is then, so that processes keep each other's facts; a corrupt file counts as empty.
 */
export function createMemoFile(path: string, clock: Clock): MemoFile {
  let loaded: MemoEntries | null = null;
  let changes = new Map<string, Json | undefined>();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();

  function facts(): MemoEntries {
    loaded ??= load(path);
    return loaded;
  }

  async function write(): Promise<void> {
    const changed = changes;
    if (changed.size === 0) return;
    changes = new Map();
    const current = load(path);
    for (const [key, value] of changed) {
      if (value === undefined) current.delete(key);
      else remember(current, key, value);
    }
    try {
      ensureFolder(dirname(path));
      await writeWhole(path, memoText(current));
    } catch {
      // The facts stay in memory; the next process finds them out again.
    }
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    writing = writing.then(write);
    return writing;
  }

  function change(key: string, value: Json | undefined): void {
    if (value === undefined) facts().delete(key);
    else remember(facts(), key, value);
    changes.set(key, value);
    cancelTimer ??= clock.after(writeAfterMs, () => void flush());
  }

  return {
    get(key) {
      const text = facts().get(key);
      return text === undefined ? undefined : (JSON.parse(text) as Json);
    },
    set: (key, value) => change(key, value),
    delete: (key) => change(key, undefined),
    flush,
  };
}
