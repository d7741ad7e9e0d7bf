import type { AssistantMessage, Message, NativeTurn } from "./message.ts";
import type { QuarantinedTool, ToolSnapshot, ToolsBehindSearch } from "./tool.ts";

/** Tokens of one or more requests. `input` is what was billed in full, beside what the cache held. */
export interface Usage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Of the output tokens, those that the model thought with; only where the API reports them. */
  readonly reasoningTokens?: number;
}

/**
 * Why the model stopped, in Anthropic's words, which cover the others. It only refines: the presence of
 * calls decides what happens next. `other` keeps reasons nobody knew yet; see `rawStopReason`.
 */
export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "context_window_exceeded"
  | "other";

export interface ModelRequest {
  readonly system: string;
  readonly snapshot: ToolSnapshot;
  readonly messages: readonly Message[];
  /** Most tokens the answer may have. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** The complete answer to one request. */
export interface ModelResponse {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
  /** The provider's own word. */
  readonly rawStopReason: string;
  /** The provider's explanation of a refusal, if it gave one. */
  readonly refusal?: string;
  readonly usage: Usage;
}

/**
 * A step of the answer. Exactly one `response`, last. `attempt_failed` revokes every delta before it: nothing of
 * a failed attempt is part of the answer. Its tokens are told as `usage`.
 */
export type ModelEvent =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "thinking_delta"; readonly text: string }
  | {
      readonly type: "tool_input_delta";
      readonly callId: string;
      readonly name: string;
      readonly json: string;
    }
  | {
      readonly type: "attempt_failed";
      readonly attempt: number;
      readonly reason: string;
      /** Milliseconds until the next attempt. */
      readonly retryInMs: number;
    }
  /** Something that the person should know. It revokes nothing. */
  | { readonly type: "warning"; readonly code: string; readonly text: string }
  /** Another model answers from here on. Names are `api/name`. */
  | {
      readonly type: "model_fallback";
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  /**
   * Tokens that are not those of the response: of a model that refused before another one answered, or of attempts that
   * failed. It revokes nothing.
   */
  | {
      readonly type: "usage";
      readonly usage: Usage;
      readonly answeredBy: Pick<NativeTurn, "api" | "model">;
    }
  /**
   * Tokens of the attempt that is under way, as far as the API has told them; the next one, a `usage` or the `response`
   * takes its place. They are what an aborted run has to count.
   */
  | {
      readonly type: "usage_so_far";
      readonly usage: Usage;
      readonly answeredBy: Pick<NativeTurn, "api" | "model">;
    }
  | { readonly type: "response"; readonly response: ModelResponse };

/** What this model's API can carry. */
export interface ModelCapabilities {
  /** Images inside tool results. */
  readonly toolResultImages: boolean;
  /** True for the built-in offline model: rules, no language model. */
  readonly offline: boolean;
  /** Tokens that fit into a request with its answer; absent where that is not known. */
  readonly contextTokens?: number;
}

/** One model of one API. */
export interface Model {
  /** The API's name: `anthropic`, `offline`, … */
  readonly api: string;
  /** The model's name in that API. */
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  /** Models that may answer in the place of this one; set by the host. Default: none. */
  readonly fallbacks?: readonly Model[];
  /** Tools of a snapshot that this model's API has no form or no room for: they are not sent. Default: none. */
  leftOut?(snapshot: ToolSnapshot): readonly QuarantinedTool[];
  /**
   * Tools of a snapshot that this model is not offered in the conversation but finds; null when it is offered all. The
   * host gives this to the models that it runs: a model of a program's own need not have it.
   */
  behindSearch?(snapshot: ToolSnapshot, messages: readonly Message[]): ToolsBehindSearch | null;
  /**
   * Tokens of a request's input as the API itself counts them, free of charge. Absent where it has no such counter;
   * rejects where it does not answer.
   */
  countTokens?(request: ModelRequest): Promise<number>;
  /**
   * Asks the model. Streaming is the only path. Rejects with a `HostError` (code `model_*`) once retries are spent,
   * and with code `aborted` when `request.signal` fires. Never runs a tool.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
