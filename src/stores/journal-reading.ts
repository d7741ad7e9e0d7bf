import { existsSync } from "node:fs";
import { HostError } from "../errors.ts";
import type { JournalReading } from "../types/journal.ts";
import { inUse, journalPath, lockPath, parseRecord, readOpening } from "./journal-path.ts";
import { lockHolder } from "./process-lock.ts";
import { readLines } from "./read-lines.ts";
import { storeError } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

/** A longer conversation fits no model, and hardly the memory. */
const maxJournalBytes = 512 * 1024 * 1024;

/**
 * Reads a stored conversation whole. A torn last line is left out, a line that is no record is counted. Rejects with
 * `conversation_unknown`, `conversation_in_use`, or `store_failed` when this version cannot read it.
 */
export async function readJournalFile(
  folder: string,
  id: string,
  principal: string,
): Promise<JournalReading> {
  const path = journalPath(folder, id);
  if (!isStoreId(id) || !existsSync(path)) throw unknown(id);
  const holder = lockHolder(lockPath(folder, id));
  if (holder !== null) throw inUse(id, holder);
  try {
    return await readAll(path, id, principal);
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw storeError("store_failed", "The conversation cannot be read", path, error);
  }
}

async function readAll(path: string, id: string, principal: string): Promise<JournalReading> {
  const records: Readonly<Record<string, unknown>>[] = [];
  let opened = false;
  let unreadable = 0;
  let end = 0;
  for await (const { text, complete, bytes } of readLines(path)) {
    if (!complete) break;
    end += bytes;
    if (end > maxJournalBytes) throw new Error(`it is longer than ${maxJournalBytes / 1024 / 1024} MiB`);
    if (!opened) {
      // Somebody else's conversation is as good as none.
      if (readOpening(text ?? "", id).principal !== principal) throw unknown(id);
      opened = true;
      continue;
    }
    const record = text === null ? null : parseRecord(text);
    if (record === null) unreadable += 1;
    else records.push(record);
  }
  if (!opened) throw unknown(id);
  return { records, unreadable, end };
}

function unknown(id: string): HostError {
  return new HostError(
    "conversation_unknown",
    `There is no stored conversation "${id.slice(0, 140)}" of yours; \`listConversations()\` gives the ids of those there are.`,
    { data: { id: id.slice(0, 140) } },
  );
}
