import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { HostError } from "../errors.ts";
import { describeJournal, journalNames, type StoredConversation } from "../stores/journal-list.ts";
import { type PurgeReport, purgeJournals } from "../stores/purge.ts";
import { principalOf } from "./principal.ts";

/** Where stored things are, and whose. */
export interface StateOptions {
  /** The state folder that a host used. Default: the XDG state folder. */
  readonly state?: string;
  /** Default: the operating system's user name. */
  readonly principal?: string;
}

export interface ListConversationsOptions extends StateOptions {
  /** Most conversations. Default: 50. */
  readonly limit?: number;
}

/** Exactly one of `olderThanDays`, `ids` and `all` says which conversations are to go. */
export interface PurgeConversationsOptions extends StateOptions {
  /** Those that nothing was added to for so many days. */
  readonly olderThanDays?: number;
  readonly ids?: readonly string[];
  readonly all?: boolean;
  /** Says what would go and removes nothing. */
  readonly dryRun?: boolean;
}

const dayMs = 24 * 3_600_000;

/**
 * The stored conversations of a principal, the last written first; `host.conversation({ id })` goes on with one. Reads
 * the ends of each journal only. Rejects with `store_failed`.
 */
export async function listConversations(
  options: ListConversationsOptions = {},
): Promise<readonly StoredConversation[]> {
  const { limit = 50 } = options;
  const { folder, principal } = placeOf(options);
  const found: StoredConversation[] = [];
  for (const journal of await journalNames(folder)) {
    if (found.length >= limit) break;
    const described = describeJournal(journal, principal);
    if (described !== null) found.push(described);
  }
  return found;
}

/**
 * Removes stored conversations of a principal, with the outputs that their runs kept aside. One that is being written
 * stays, and so does the audit log. Rejects with `input_invalid` and `store_failed`.
 */
export async function purgeConversations(options: PurgeConversationsOptions): Promise<PurgeReport> {
  const { olderThanDays, ids, all, dryRun } = options;
  const ways = [olderThanDays !== undefined, ids !== undefined, all === true].filter(Boolean);
  if (ways.length !== 1) throw invalid("Say which conversations: one of olderThanDays, ids and all");
  if (olderThanDays !== undefined && !(olderThanDays >= 0 && Number.isFinite(olderThanDays))) {
    throw invalid("olderThanDays is a number of days, 0 or more");
  }
  const { folder, principal } = placeOf(options);
  return purgeJournals(folder, {
    principal,
    ...(olderThanDays === undefined ? {} : { beforeMs: Date.now() - olderThanDays * dayMs }),
    ...(ids === undefined ? {} : { ids }),
    ...(dryRun === undefined ? {} : { dryRun }),
  });
}

/** The folder and the principal that a host without these options has. */
export function placeOf({ state, principal }: StateOptions): {
  readonly folder: string;
  readonly principal: string;
} {
  return { folder: state ?? stateFolder(readEnvironment()), principal: principalOf({ principal }) };
}

function invalid(problem: string): HostError {
  return new HostError("input_invalid", `${problem}.`);
}
