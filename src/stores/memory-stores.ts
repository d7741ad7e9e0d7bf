import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Memo, SpillStore, Stores } from "../types/stores.ts";
import { randomId } from "../util/random-id.ts";
import { createDefinitionMemory } from "./definition-memory.ts";
import { type MemoEntries, remember } from "./memo-entries.ts";
import { createTokenMemory } from "./token-memory.ts";

/** Newest entries that a memory sink keeps. */
const maxEntries = 10_000;
/** Characters of all texts kept aside; the oldest go first. */
const maxSpillChars = 256 * 1024 * 1024;

/** An audit log that ends with the process. Nothing else can change it, so it has no chain. */
export interface MemoryAudit extends AuditSink {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
}

export function createMemoryAudit(): MemoryAudit {
  const entries: AuditEntry[] = [];
  return {
    entries,
    async append(entry) {
      entries.push(entry);
      if (entries.length > maxEntries) entries.splice(0, entries.length - maxEntries);
    },
  };
}

function createMemorySpill(): SpillStore {
  const texts = new Map<string, string>();
  let chars = 0;
  return {
    async put(runId, text) {
      const id = randomId("spill", 16);
      texts.set(`${runId} ${id}`, text);
      chars += text.length;
      for (const [name, oldest] of texts) {
        if (chars <= maxSpillChars || texts.size === 1) break;
        texts.delete(name);
        chars -= oldest.length;
      }
      return id;
    },
    get: async (runId, id) => texts.get(`${runId} ${id}`) ?? null,
  };
}

function createMemoryMemo(): Memo {
  const entries: MemoEntries = new Map();
  return {
    get(key) {
      const text = entries.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set: (key, value) => remember(entries, key, value),
    delete: (key) => void entries.delete(key),
  };
}

/** Stores for a host that keeps nothing: all of it ends with the process, and journals are not kept at all. */
export function createMemoryStores(): Stores {
  const audits = new Map<string, MemoryAudit>();
  const key = crypto.getRandomValues(new Uint8Array(32));
  const definitions = createDefinitionMemory();
  return {
    spill: createMemorySpill(),
    memo: createMemoryMemo(),
    hashKey: async () => key,
    tokens: createTokenMemory(),
    openDefinitions: async () => definitions,
    openJournal: async (id) => ({ id, append: async () => {}, close: async () => {} }),
    async openAudit(principal) {
      const audit = audits.get(principal) ?? createMemoryAudit();
      audits.set(principal, audit);
      return audit;
    },
    close: async () => {},
  };
}
