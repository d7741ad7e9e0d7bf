import type { ArgumentCondition } from "./grants.ts";
import type { ToolCall } from "./tool.ts";

/**
 * One thing to decide: a call, or several identical calls of one turn. Everything needed to show it is here;
 * texts from the server or the model are not escaped yet (`renderArguments` does that).
 */
export interface ApprovalQuestion {
  /** Unguessable, of this question only. */
  readonly id: string;
  /** The identical calls it stands for; at least one. */
  readonly calls: readonly [ToolCall, ...ToolCall[]];
  /** Why it is asked, in a sentence. */
  readonly reason: string;
  /** What the person should know: reaches outside, may destroy, definition changed, … */
  readonly warnings: readonly string[];
  /** Scopes that may be offered beside `once`. */
  readonly scopes: readonly ApprovalScope[];
  /** What may be asked of the arguments of later calls, taken from this one. Absent: nothing. */
  readonly conditions?: readonly ArgumentCondition[];
}

/** `always` outlives the conversation, until something about the tool or its server changes. */
export type ApprovalScope = "once" | "conversation" | "always";

export type ApprovalAnswer =
  | {
      readonly type: "allow";
      readonly scope: ApprovalScope;
      /**
       * With a scope beyond `once`: later calls must meet all of these, which this call meets. Absent: whatever their
       * arguments are. A list that is empty, or that this call does not meet, allows this call only.
       */
      readonly conditions?: readonly ArgumentCondition[];
    }
  /** `message` reaches the model. */
  | { readonly type: "deny"; readonly message?: string };

/** All questions of one turn together. */
export interface ApprovalRequest {
  readonly runId: string;
  readonly turn: number;
  readonly principal: string;
  readonly questions: readonly ApprovalQuestion[];
  /** Calls of the same turn that need no question, for the whole picture. */
  readonly decided: readonly ToolCall[];
  /** Fires when the run is aborted: close the prompt. */
  readonly signal: AbortSignal;
  /** Replaces every known secret in a text; for what is shown (`RenderSettings.redact`), never for what runs. */
  redact(text: string): string;
  /** Answers one question; its calls start at once. A second answer to the same question is ignored. */
  answer(questionId: string, answer: ApprovalAnswer): void;
}

/** Asks the person. May take hours. A question still open when it returns or throws is denied. */
export type Approver = (request: ApprovalRequest) => Promise<void> | void;
