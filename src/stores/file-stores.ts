import { join } from "node:path";
import type { Journal } from "../types/journal.ts";
import type { Clock } from "../types/ports.ts";
import type { AuditFileSettings, Stores } from "../types/stores.ts";
import { type AuditFile, createAuditFile } from "./audit-file.ts";
import { createDefinitionFiles } from "./definition-files.ts";
import { createGrantFiles } from "./grant-files.ts";
import { hashKeyPath, loadHashKey } from "./hash-key.ts";
import { createJournalFile } from "./journal-file.ts";
import { readJournalFile } from "./journal-reading.ts";
import { createKnownListFiles } from "./known-lists.ts";
import { createMemoFile } from "./memo-file.ts";
import { purgeStores } from "./purge.ts";
import { createSpillFiles } from "./spill-file.ts";
import { createTokenFiles } from "./token-files.ts";

/** How long stored runs and outputs kept aside stay, in ms. */
const keptMs = 30 * 24 * 3_600_000;

/** Where logins at servers are kept in a state folder. */
export const tokensFolder = (folder: string): string => join(folder, "logins");

/**
 * Everything the host keeps, as files in one folder that only the owner can read. Touches nothing until a store is
 * used. A principal has one audit sink here, shared by all who open it, written as the first of them said, and closed with the
 * stores.
 */
export function openFileStores(folder: string, settings: { readonly clock: Clock }): Stores {
  const { clock } = settings;
  const memo = createMemoFile(join(folder, "memo.json"), clock);
  const known = createKnownListFiles(join(folder, "known"), clock);
  const audits = new Map<string, AuditFile>();
  const journals = new Set<Journal>();
  let key: Promise<Uint8Array> | null = null;
  let purged: Promise<unknown> | null = null;

  function loadKey(): Promise<Uint8Array> {
    key ??= loadHashKey(hashKeyPath(folder)).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  }

  function auditOf(principal: string, how: AuditFileSettings): AuditFile {
    const known = audits.get(principal);
    if (known !== undefined) return known;
    const made = createAuditFile(folder, principal, clock, how);
    audits.set(principal, made);
    return made;
  }

  return {
    spill: createSpillFiles(folder),
    memo: { get: memo.get, set: memo.set, delete: memo.delete },
    knownLists: { read: known.read, write: known.write },
    hashKey: loadKey,
    tokens: createTokenFiles(tokensFolder(folder), clock),
    readJournal: (id, principal) => readJournalFile(folder, id, principal),
    async openJournal(id, principal, end) {
      // Cleaning up is done beside the first run, and what cannot be removed now is tried again by the next process.
      purged ??= purgeStores(folder, clock.wall() - keptMs).catch(() => {});
      const journal = createJournalFile(folder, id, principal, clock);
      // Nobody else knows a new one, and a store that is not used touches nothing.
      if (end !== undefined) journal.open(end);
      journals.add(journal);
      return {
        id,
        get end() {
          return journal.end;
        },
        append: (record) => journal.append(record),
        flush: () => journal.flush(),
        close() {
          journals.delete(journal);
          return journal.close();
        },
      };
    },
    async openGrants() {
      return createGrantFiles(folder, await loadKey(), clock);
    },
    async openDefinitions() {
      return createDefinitionFiles(folder, await loadKey(), clock);
    },
    async openAudit(principal, how = {}) {
      const { append, flush, location } = auditOf(principal, how);
      return { append, flush, location };
    },
    async close() {
      const open = [...journals, ...audits.values()];
      await Promise.all([purged, memo.flush(), known.flush(), ...open.map((store) => store.close())]);
      journals.clear();
    },
  };
}
