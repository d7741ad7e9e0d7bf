import type { HostErrorCode } from "./error.ts";
import type { Json } from "./json.ts";
import type { ShadowVerdict } from "./policy.ts";
import type { CatalogTool, ToolCall } from "./tool.ts";

/** A content block of a tool's result, in MCP's words, sanitised at ingestion: every field has its type. */
export type ServerBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name?: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      /** Base64. */
      readonly blob?: string;
    }
  /** A block of a kind the host does not know, or one that could not be read; `summary` says what it was. */
  | { readonly type: "unknown"; readonly kind: string; readonly summary: string };

/** A `tools/call` result after lenient ingestion. */
export interface CallReply {
  readonly content: readonly ServerBlock[];
  readonly structuredContent?: Json;
  readonly isError: boolean;
  /** What ingestion had to repair. */
  readonly repairs: readonly string[];
}

/** Whether the server did the work of a call that has no reply. */
export type Executed = "no" | "maybe" | "yes";

/**
 * How a call that was sent, or should have been, ended. `answered` is an answer also when `reply.isError`: the
 * host never repeats it.
 */
export type CallOutcome =
  | { readonly type: "answered"; readonly reply: CallReply; readonly attempts: number; readonly ms: number }
  | {
      readonly type: "failed";
      readonly code: HostErrorCode;
      /** For the model: what happened and whether the call may have run. */
      readonly message: string;
      readonly executed: Executed;
      readonly attempts: number;
      readonly ms: number;
    };

/** Who or what decided. */
export type DecisionSource =
  | { readonly type: "rule"; readonly tier: "administrator" | "user" | "project"; readonly rule: string }
  | { readonly type: "hint"; readonly hint: "readOnlyHint" | "destructiveHint" }
  /** `scope`: how long it holds; absent in records of earlier versions. */
  | { readonly type: "grant"; readonly id: string; readonly scope?: "conversation" | "always" }
  | { readonly type: "person"; readonly principal: string }
  /** A tool of the host's own. */
  | { readonly type: "builtin" }
  /** A person called the tool directly. */
  | { readonly type: "direct" }
  /** Content that the run has read, and where the call may carry it. */
  | { readonly type: "flow"; readonly flow: string }
  /** No rule covers the call. */
  | { readonly type: "default" };

export interface AllowDecision {
  readonly type: "allow";
  readonly by: DecisionSource;
  readonly reason: string;
  readonly warnings: readonly string[];
  /** Milliseconds a person was waited for; 0 when nobody was asked. */
  readonly waitedMs: number;
  /** What the policy that is tried out would have decided, where that differs. */
  readonly shadow?: ShadowVerdict;
}

export interface DenyDecision {
  readonly type: "deny";
  readonly by: DecisionSource;
  /** For the model and the person: why, and the rule that would allow it. */
  readonly reason: string;
  /** True when it would have been asked, but nobody could be. */
  readonly unasked: boolean;
  /** The rule that would allow it, where it was denied because nobody could be asked and a single rule is enough. */
  readonly rule?: string;
  readonly waitedMs: number;
  readonly shadow?: ShadowVerdict;
}

declare const stamped: unique symbol;

/** A call that consent has allowed. Only `consent/` makes one; the executor accepts nothing else. */
export interface ApprovedCall {
  readonly call: ToolCall;
  readonly decision: AllowDecision;
  readonly [stamped]: true;
}

/** What consent says of one call. */
export type Verdict =
  | { readonly type: "approved"; readonly approved: ApprovedCall }
  | { readonly type: "denied"; readonly call: ToolCall; readonly decision: DenyDecision };

/** A proposed call that cannot run: unknown name, malformed or invalid arguments, truncated. */
export interface RejectedCall {
  readonly code: "call_unknown_tool" | "call_invalid";
  /** For the model: what is wrong and what would be right. */
  readonly message: string;
}

/** What a proposed call became. */
export type ResolvedCall =
  | { readonly type: "call"; readonly call: ToolCall }
  | {
      readonly type: "rejected";
      readonly callId: string;
      readonly name: string;
      readonly rejected: RejectedCall;
      /** The tool of that name, where there is one. */
      readonly tool?: CatalogTool;
      /** The arguments as the model wrote them. */
      readonly input?: string;
    };
