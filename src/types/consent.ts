import type { ApprovalAnswer } from "./approval.ts";
import type { Emit } from "./events.ts";
import type { ApprovedCall, Verdict } from "./outcome.ts";
import type { ResultLabels, RunReads } from "./policy.ts";
import type { CatalogTool, ToolCall } from "./tool.ts";

/** What a decision is made in. */
export interface ConsentContext {
  readonly runId: string;
  readonly turn: number;
  readonly principal: string;
  /** Grants of this conversation; consent adds to them. */
  readonly grants: ConversationGrants;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** `direct` when a person typed the call: the call itself is the consent. */
  readonly origin: "model" | "direct";
  /** What the conversation has read so far. Default: neither untrusted nor private content. */
  readonly reads?: RunReads;
}

/** What a conversation has read, as one run sees it and adds to it. */
export interface GrowingReads extends RunReads {
  /** Takes what a call of the tool brought. Null for a tool of the host's own: what it shows was read before. */
  take(tool: CatalogTool, turn: number): ResultLabels | null;
}

/** Grants that live as long as a conversation. Opaque to everybody but consent. */
export interface ConversationGrants {
  readonly answers: Map<string, ApprovalAnswer>;
}

export interface Consent {
  /**
   * Decides every call of a turn, one promise a call, in order. Promises of calls that need no question are already
   * settled; questions are asked together and each settles with its own answer. Never rejects.
   */
  decide(calls: readonly ToolCall[], context: ConsentContext): readonly Promise<Verdict>[];
  /** Why an approved call may no longer run, or null. Asked right before each attempt. */
  recheck(approved: ApprovedCall, current: CatalogTool | null): string | null;
}
