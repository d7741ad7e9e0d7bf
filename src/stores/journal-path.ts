import { join } from "node:path";
import { HostError } from "../errors.ts";
import { isObject } from "../util/own.ts";
import type { LockHolder } from "./process-lock.ts";
import { isStoreId } from "./store-id.ts";

export function runsFolder(folder: string): string {
  return join(folder, "runs");
}

/** An id that is none leads to a file that never is. */
export function journalPath(folder: string, id: string): string {
  return join(runsFolder(folder), `${isStoreId(id) ? id : "_"}.jsonl`);
}

export function lockPath(folder: string, id: string): string {
  return join(runsFolder(folder), `${id}.lock`);
}

/** The first record of a journal that this version reads. */
export interface JournalOpening {
  readonly id: string;
  readonly at: string;
  readonly principal: string;
  readonly cwd: string | null;
}

/** Throws a sentence when the first line does not open the journal `id`. */
export function readOpening(line: string, id: string): JournalOpening {
  const record = parseRecord(line);
  if (record?.kind !== "journal_opened" || record.id !== id) {
    throw new Error("its first record does not open it");
  }
  const { v, principal, at, cwd } = record;
  if (v !== 1) throw new Error("it was written by a later version");
  return {
    id,
    at: typeof at === "string" ? at : "",
    principal: typeof principal === "string" ? principal : "",
    cwd: typeof cwd === "string" ? cwd : null,
  };
}

export function parseRecord(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const record: unknown = JSON.parse(line);
    return isObject(record) ? record : null;
  } catch {
    return null;
  }
}

export function inUse(id: string, { pid, host }: LockHolder): HostError {
  return new HostError(
    "conversation_in_use",
    `The conversation ${id} is being written by the process ${pid} on ${host}; wait for its end, or end it.`,
    { data: { id, pid } },
  );
}
