import type { ServerTool } from "./tool.ts";

/**
 * What a grant asks of one argument, named by its keys from the outside in. An argument that is not there, or is not of
 * the kind, meets none.
 */
export type ArgumentCondition =
  /** The argument is exactly this value. */
  | {
      readonly type: "equals";
      readonly argument: readonly string[];
      readonly value: string | number | boolean | null;
    }
  /** The argument is a path in this folder, or the folder itself: lexically, and never with a step up. */
  | { readonly type: "under"; readonly argument: readonly string[]; readonly folder: string }
  /** The argument is a URL of this scheme and host, `https://example.com` or `http://127.0.0.1:8080`. */
  | { readonly type: "host"; readonly argument: readonly string[]; readonly origin: string }
  /**
   * There are no arguments but these, inside of others and of lists too, and those that no other condition looks at hold
   * no URL and no path from a root or a home folder or with a step up. Every grant with conditions has this one.
   */
  | { readonly type: "only"; readonly arguments: readonly (readonly string[])[] };

/** All that was true when a person allowed a tool for good: whatever of it changes, the grant does not hold any more. */
export interface GrantBinding {
  readonly principal: string;
  readonly server: string;
  /** Raw name. */
  readonly tool: string;
  readonly configHash: string;
  readonly definitionHash: string;
  /** The text of the rule that asked; empty when no rule did. */
  readonly rule: string;
  /** What the arguments of a call must be, all of it; absent: whatever they are. */
  readonly conditions?: readonly ArgumentCondition[];
}

/** A grant that outlasts a conversation. */
export interface StoredGrant extends GrantBinding {
  readonly id: string;
  /** When it was given, ISO 8601. */
  readonly at: string;
}

/** What a tool was when it was allowed; `definition` is null where it was too large to keep. */
export interface GrantedTool {
  readonly configHash: string;
  readonly definitionHash: string;
  readonly definition: ServerTool | null;
  /** When it was allowed, ISO 8601. */
  readonly at?: string;
}

/**
 * Grants that outlast a conversation. Every question reads what is kept at that moment, so that what was revoked
 * elsewhere does not hold; what cannot be read, or was changed by somebody else, is no grant.
 */
export interface GrantStore {
  /** The grant of exactly this binding. Never throws. */
  find(binding: GrantBinding): StoredGrant | null;
  /**
   * The grants of the binding that have conditions, whatever these are; each still counts only if `find` has it. Never
   * throws. A store without this function is asked to keep none that have conditions.
   */
  conditional?(binding: GrantBinding): readonly StoredGrant[];
  /** What the tool was when it was allowed, the newest first, under the same server configuration before others. Never throws. */
  allowedBefore(binding: GrantBinding): readonly GrantedTool[];
  /** Resolves once it is kept. Rejects with `store_failed`. */
  add(binding: GrantBinding, definition: ServerTool): Promise<StoredGrant>;
}
