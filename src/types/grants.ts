import type { ServerTool } from "./tool.ts";

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
}

/**
 * Grants that outlast a conversation. Every question reads what is kept at that moment, so that what was revoked
 * elsewhere does not hold; what cannot be read, or was changed by somebody else, is no grant.
 */
export interface GrantStore {
  /** Never throws. */
  find(binding: GrantBinding): StoredGrant | null;
  /** What the tool was when it was allowed, the newest first, under the same server configuration before others. Never throws. */
  allowedBefore(binding: GrantBinding): readonly GrantedTool[];
  /** Resolves once it is kept. Rejects with `store_failed`. */
  add(binding: GrantBinding, definition: ServerTool): Promise<StoredGrant>;
}
