import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type {
  DefinitionStore,
  DefinitionsKind,
  DefinitionsOf,
  DefinitionsReading,
  KeptDefinitions,
} from "../types/definitions.ts";
import type { Clock } from "../types/ports.ts";
import { stableJson } from "../util/stable-json.ts";
import { definitionsText, readDefinitions } from "./definition-record.ts";
import { forgetOldest } from "./forget-oldest.ts";
import { hashKeyPath, loadHashKey } from "./hash-key.ts";
import { ensureFolder, writeWhole } from "./private-file.ts";
import { takeLock } from "./process-lock.ts";
import { readOwnFile } from "./read-own-file.ts";
import { storeError, systemCode } from "./store-error.ts";

/** A longer file is none of ours. */
const maxFileBytes = 32 * 1024 * 1024;
/** Servers whose definitions are remembered; the oldest go first. Pins never go by themselves. */
const mostSeen = 256;
const askAgainMs = 20;
/** Nobody writes for longer. */
const lockWaitMs = 10_000;

/** Where definitions are kept in a state folder: what was seen, and what is pinned. */
const folders: Readonly<Record<DefinitionsKind, string>> = { seen: "definitions", pinned: "pins" };

/** The definitions that a state folder keeps; null where it was never used. Unlike a host, it makes no folder and no key. */
export async function openKeptDefinitions(folder: string, clock: Clock): Promise<DefinitionStore | null> {
  const keyPath = hashKeyPath(folder);
  if (!existsSync(keyPath)) return null;
  return createDefinitionFiles(folder, await loadHashKey(keyPath), clock);
}

/**
 * Definitions as files, one for each server, configuration and principal, each with a keyed hash of itself: what was
 * changed by somebody without the key, or damaged, is told as that and counts for nothing.
 */
export function createDefinitionFiles(folder: string, key: Uint8Array, clock: Clock): DefinitionStore {
  const keyed = (text: string): string =>
    createHmac("sha256", key).update(`definitions\n${text}`).digest("hex");

  const nameOf = ({ principal, server, configHash }: DefinitionsOf): string =>
    keyed(stableJson([principal, server, configHash]));

  async function read(of: DefinitionsOf, kind: DefinitionsKind): Promise<DefinitionsReading> {
    const name = nameOf(of);
    const path = join(folder, folders[kind], `${name}.json`);
    const unreadable = (why: string, later = false): DefinitionsReading => {
      return { type: "unreadable", reason: `${path} ${why}`, later };
    };
    let text: string;
    try {
      text = await readOwnFile(path, { maxBytes: maxFileBytes, othersMayWrite: false });
    } catch (error) {
      if (systemCode(error) === "ENOENT") return { type: "none" };
      return unreadable(`cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }
    const found = readDefinitions(text, (body) => keyed(`${kind} ${name}\n${body}`));
    if (found === "later") return unreadable("was written by a later version.", true);
    return found === null
      ? unreadable("was damaged, or changed by somebody else.")
      : { type: "kept", ...found };
  }

  async function write(of: DefinitionsOf, kind: DefinitionsKind, kept: KeptDefinitions): Promise<void> {
    const name = nameOf(of);
    const text = definitionsText(kept, (body) => keyed(`${kind} ${name}\n${body}`), maxFileBytes);
    await writeWhole(join(folder, folders[kind], `${name}.json`), text);
    if (kind === "seen") await forgetOldest(join(folder, folders.seen), mostSeen);
  }

  return {
    read,
    async update(of, kind, change) {
      const place = join(folder, folders[kind]);
      try {
        ensureFolder(place);
        const release = await lock(join(place, `${nameOf(of)}.lock`), clock);
        try {
          const next = change(await read(of, kind));
          if (next !== null) await write(of, kind, next);
        } finally {
          release();
        }
      } catch (error) {
        throw storeError("store_failed", "The definitions of tools cannot be kept", place, error);
      }
    },
  };
}

async function lock(path: string, clock: Clock): Promise<() => void> {
  const until = clock.now() + lockWaitMs;
  for (;;) {
    const taken = takeLock(path);
    if (typeof taken === "function") return taken;
    if (clock.now() > until) throw new Error(`process ${taken.pid} has locked it for too long`);
    await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
  }
}
