import type { ErrorSummary } from "./error.ts";
import type { JsonObject } from "./json.ts";
import type { AssistantMessage, Message } from "./message.ts";
import type { StopReason, Usage } from "./model.ts";
import type { DecisionSource } from "./outcome.ts";
import type { ResultLabels } from "./policy.ts";
import type { RunCost } from "./price.ts";
import type { CatalogWarning, QuarantinedTool, ToolRoute } from "./tool.ts";

/** Version of the events below: later versions only add types and fields. */
export type EventVersion = 1;

/** Why a run ended. */
export type Stop =
  | { readonly type: "answered" }
  | { readonly type: "turn_limit"; readonly limit: number }
  | { readonly type: "budget"; readonly budget: "calls" | "tokens" | "cost" | "time"; readonly limit: number }
  /** So many turns in a row brought nothing that was not known before. */
  | { readonly type: "loop_detected"; readonly turns: number }
  | { readonly type: "aborted" }
  | { readonly type: "refused"; readonly explanation: string }
  | { readonly type: "truncated" }
  | { readonly type: "failed"; readonly error: ErrorSummary };

export interface RunResult {
  readonly runId: string;
  readonly stop: Stop;
  /** The text blocks of the final message joined with a line break; empty when there is none. */
  readonly text: string;
  /** The last message of the model, whole. */
  readonly message: AssistantMessage | null;
  /** The whole transcript: valid whatever the stop, every call answered. */
  readonly messages: readonly Message[];
  readonly turns: number;
  readonly calls: number;
  /** Calls denied because nobody could be asked. */
  readonly unasked: number;
  readonly usage: Usage;
  /** What that costs. */
  readonly cost?: RunCost;
  readonly ms: number;
}

/** State of one server, as `host.status()` and events give it. */
export type ServerStatus =
  | { readonly server: string; readonly state: "starting" }
  | {
      readonly server: string;
      readonly state: "ready";
      readonly era: "modern" | "legacy";
      readonly protocolVersion: string;
      /** From its start to its tool list, milliseconds. */
      readonly ms: number;
      readonly tools: number;
    }
  | {
      readonly server: string;
      readonly state: "failed";
      readonly error: ErrorSummary;
      readonly required: boolean;
      /** How its process ended, where it did: one of the two. */
      readonly exitCode?: number;
      readonly exitSignal?: string;
      /** It is started again after so many milliseconds. */
      readonly restartInMs?: number;
    };

/** One log message of a server. */
export interface ServerLog {
  readonly server: string;
  /** The levels of syslog (RFC 5424), without `debug`. */
  readonly level: "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";
  readonly logger?: string;
  readonly text: string;
}

/** What happens in a run, in order. Plain JSON: the same on standard output, over HTTP and in tests. */
export type RunEvent =
  | {
      readonly type: "run_started";
      readonly version: EventVersion;
      readonly runId: string;
      /** `api/name` */
      readonly model: string;
      readonly offline: boolean;
    }
  | ({ readonly type: "server_status" } & ServerStatus)
  | {
      readonly type: "catalog_ready";
      /** Those that the model is offered. */
      readonly tools: number;
      readonly quarantined: readonly QuarantinedTool[];
      /** How many more the model finds by a search, and why they are not offered; only where there are any. */
      readonly behindSearch?: { readonly tools: number; readonly reason: string };
      /** Look-alike names, and descriptions that speak of other servers' tools. */
      readonly warnings?: readonly CatalogWarning[];
    }
  | {
      readonly type: "tools_changed";
      /** Since an earlier run, whose definitions were kept at this time, ISO 8601. Without it: in this run. */
      readonly since?: string;
      readonly added: readonly ToolRoute[];
      readonly removed: readonly ToolRoute[];
      readonly changed: readonly ToolRoute[];
    }
  | { readonly type: "turn_started"; readonly turn: number }
  | { readonly type: "text_delta"; readonly turn: number; readonly text: string }
  | { readonly type: "thinking_delta"; readonly turn: number; readonly text: string }
  | {
      readonly type: "tool_input_delta";
      readonly turn: number;
      readonly callId: string;
      readonly alias: string;
      readonly json: string;
    }
  /** Every delta of this turn so far is void; the model is asked again after `retryInMs`. */
  | {
      readonly type: "turn_revoked";
      readonly turn: number;
      readonly attempt: number;
      readonly reason: string;
      readonly retryInMs: number;
    }
  /** The model refused, and another one is asked; what was shown of the turn is revoked before. Names are `api/name`. */
  | {
      readonly type: "model_fallback";
      readonly turn: number;
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  /** Earlier results do not go to the model any more, to make room; the transcript keeps them. */
  | {
      readonly type: "context_compacted";
      /** The turn that is asked with it; it may not have started yet. */
      readonly turn: number;
      /** Results that were left out. */
      readonly results: number;
      /** Tokens of the request, estimated. */
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly type: "message_completed";
      readonly turn: number;
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** What the run has cost so far. */
      readonly cost?: RunCost;
    }
  | ({
      readonly type: "call_proposed";
      readonly turn: number;
      readonly callId: string;
      readonly alias: string;
      readonly arguments: JsonObject;
    } & ToolRoute)
  /** A proposal that cannot run; the model is told. */
  | {
      readonly type: "call_rejected";
      readonly turn: number;
      readonly callId: string;
      readonly alias: string;
      readonly error: ErrorSummary;
    }
  /** The approver was asked about these calls. */
  | { readonly type: "approval_requested"; readonly turn: number; readonly callIds: readonly string[] }
  | {
      readonly type: "call_decided";
      readonly turn: number;
      readonly callId: string;
      readonly decision: "allow" | "deny";
      readonly by: DecisionSource;
      readonly reason: string;
      readonly warnings: readonly string[];
      /** True when it was denied because nobody could be asked. */
      readonly unasked: boolean;
      /** With `unasked`: the rule that would allow it, where a single rule is enough. */
      readonly suggestedRule?: string;
    }
  | {
      readonly type: "call_started";
      readonly turn: number;
      readonly callId: string;
      readonly attempt: number;
    }
  | {
      readonly type: "call_progress";
      readonly turn: number;
      readonly callId: string;
      readonly progress: number;
      readonly total?: number;
      readonly text?: string;
    }
  | {
      readonly type: "call_completed";
      readonly turn: number;
      readonly callId: string;
      readonly isError: boolean;
      readonly ms: number;
      readonly attempts: number;
      readonly error?: ErrorSummary;
      /** Where the content of its result comes from; absent where nothing came from a server. */
      readonly labels?: ResultLabels;
    }
  /** The results of a turn went back to the model in one message. */
  | {
      readonly type: "results_returned";
      readonly turn: number;
      readonly results: readonly {
        readonly callId: string;
        readonly isError: boolean;
        /** Bytes the model gets. */
        readonly bytes: number;
        /** Bytes kept aside because of the output budget; the model can page through them. */
        readonly cutBytes: number;
      }[];
    }
  | { readonly type: "warning"; readonly code: string; readonly text: string }
  /** A server asks the person. The answer's values are in no event. */
  | {
      readonly type: "elicitation_requested";
      readonly turn: number;
      readonly elicitationId: string;
      readonly server: string;
      /** The calls that may need it; one where it is known. */
      readonly callIds: readonly string[];
      readonly mode: "form" | "url";
      /** The server's words. */
      readonly message: string;
    }
  | {
      readonly type: "elicitation_answered";
      readonly turn: number;
      readonly elicitationId: string;
      readonly server: string;
      /** What the server got. */
      readonly action: "accept" | "decline" | "cancel";
      readonly waitedMs: number;
    }
  /** A server asks the host's model; whether it may is decided as it is for a call. */
  | {
      readonly type: "sampling_requested";
      readonly turn: number;
      readonly samplingId: string;
      readonly server: string;
      readonly callIds: readonly string[];
      readonly messages: number;
      readonly maxTokens: number;
    }
  | {
      readonly type: "sampling_answered";
      readonly turn: number;
      readonly samplingId: string;
      readonly server: string;
      readonly outcome: "answered" | "denied" | "failed";
      readonly reason?: string;
      readonly usage?: Usage;
      /** What the run has cost so far. */
      readonly cost?: RunCost;
    }
  /** What a server says about itself (MCP `notifications/message`), bounded in size and number. */
  | ({ readonly type: "server_log" } & ServerLog)
  | { readonly type: "run_completed"; readonly result: RunResult };

/** Tells whoever listens. Never throws and never waits. */
export type Emit = (event: RunEvent) => void;
