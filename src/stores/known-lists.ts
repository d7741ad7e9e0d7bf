import { createHash } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../types/json.ts";
import type { KnownLists } from "../types/known-lists.ts";
import type { Clock } from "../types/ports.ts";
import { forgetOldest } from "./forget-oldest.ts";
import { ensureFolder, readable, writeWhole } from "./private-file.ts";

/** Time in which changes are gathered: nothing that starts waits for the disk. */
const writeAfterMs = 200;
/** A longer list is read from its server each time. */
const mostBytes = 8 * 1024 * 1024;
/** The oldest go first. */
const mostFiles = 256;

/** Lists as files, which are written a moment later. */
export interface KnownListFiles extends KnownLists {
  /** Writes what has changed. Never rejects: losing it only costs time. */
  flush(): Promise<void>;
}

/** One file a key; its first line is the sha-256 of the rest, so that what was damaged counts as not there. */
export function createKnownListFiles(folder: string, clock: Clock): KnownListFiles {
  let changes = new Map<string, Json | undefined>();
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  const pathOf = (key: string) => join(folder, `${key}.json`);

  async function write(): Promise<void> {
    const changed = changes;
    changes = new Map();
    if (changed.size === 0) return;
    try {
      for (const [key, value] of changed) await writeOne(pathOf(key), value);
      await forgetOldest(folder, mostFiles);
    } catch {
      // The next process asks the servers again.
    }
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    writing = writing.then(write);
    return writing;
  }

  return {
    async read(key) {
      if (!isKey(key)) return undefined;
      if (changes.has(key)) return changes.get(key);
      try {
        const path = pathOf(key);
        return (await stat(path)).size > mostBytes
          ? undefined
          : parse(await readFile(path, { encoding: "utf8", flag: readable }));
      } catch {
        return undefined;
      }
    },
    write(key, value) {
      if (!isKey(key)) return;
      changes.set(key, value);
      cancelTimer ??= clock.after(writeAfterMs, () => void flush());
    },
    flush,
  };
}

/** A key becomes the name of a file. */
function isKey(key: string): boolean {
  return /^[0-9a-f]{64}$/.test(key);
}

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function parse(text: string): Json | undefined {
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return end === 64 && text.slice(0, end) === sumOf(body) ? (JSON.parse(body) as Json) : undefined;
}

async function writeOne(path: string, value: Json | undefined): Promise<void> {
  const body = value === undefined ? "" : JSON.stringify(value);
  if (value === undefined || Buffer.byteLength(body) + 65 > mostBytes) {
    await rm(path, { force: true });
    return;
  }
  ensureFolder(join(path, ".."));
  await writeWhole(path, `${sumOf(body)}\n${body}`);
}
