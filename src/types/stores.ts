import type { AuditSink } from "./audit.ts";
import type { TokenStore } from "./auth.ts";
import type { DefinitionStore } from "./definitions.ts";
import type { GrantStore } from "./grants.ts";
import type { Journal, JournalReading } from "./journal.ts";
import type { Json } from "./json.ts";
import type { KnownLists } from "./known-lists.ts";

/** Full outputs kept aside, of one run. */
export interface SpillStore {
  /** Keeps the text and returns a random id that only this run can read. */
  put(runId: string, text: string): Promise<string>;
  get(runId: string, id: string): Promise<string | null>;
}

/** Small facts remembered between processes, such as the era a server speaks. Losing them only costs time. */
export interface Memo {
  get(key: string): Json | undefined;
  set(key: string, value: Json): void;
  delete(key: string): void;
}

/** How the files of the audit log are written. */
export interface AuditFileSettings {
  /** Path of the Ed25519 private key that signs heads. */
  readonly sign?: string;
  /** A file that has grown this long is followed by a new one, bytes. */
  readonly rotateBytes?: number;
  /** Told, in a sentence, that an earlier file is not as it was written. */
  readonly onProblem?: (sentence: string) => void;
}

/** Everything the host keeps. */
export interface Stores {
  readonly spill: SpillStore;
  readonly memo: Memo;
  /** Without it runs wait for every required server. */
  readonly knownLists?: KnownLists;
  /** Key of the hashes that stand for secret bytes in records. */
  hashKey(): Promise<Uint8Array>;
  /**
   * For one writer at a time: rejects with `conversation_in_use` while another one writes it, and when it is not as
   * long as `end` says, because somebody else went on with it.
   */
  openJournal(id: string, principal: string, end?: number): Promise<Journal>;
  /**
   * Reads a stored conversation. Rejects with `conversation_unknown` when this principal has none of that id, with
   * `conversation_in_use` while somebody writes it. Without this function no conversation can be continued.
   */
  readJournal?(id: string, principal: string): Promise<JournalReading>;
  openAudit(principal: string, settings?: AuditFileSettings): Promise<AuditSink>;
  /** Without this function, or where it rejects, nothing is allowed for longer than a conversation. */
  openGrants?(): Promise<GrantStore>;
  /** Without it no change of a tool's definition since the last run is noticed, and nothing can be pinned. */
  openDefinitions?(): Promise<DefinitionStore>;
  /** Without it authorizations at servers end with the process. */
  readonly tokens?: TokenStore;
  close(): Promise<void>;
}
