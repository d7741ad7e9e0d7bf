import type { WireObject } from "./rules/request-view.ts";

/**
 * A block that the simulated model answers with, in the API's form. A `tool_use` needs a name only: its id is minted,
 * its input is `{}`, or the raw text of `partial_json` when the model should write arguments that are no JSON.
 */
export type SimulatedBlock = { readonly type: string } & WireObject;

/** What goes wrong with one request. It uses up its step: the next request takes the next one. */
export type SimulatedFault =
  /** 429; with seconds to wait unless it is left out. */
  | { readonly type: "rate_limited"; readonly retryAfter?: number }
  /** 429 of a spend limit that the account has reached: waiting does not help. */
  | { readonly type: "spend_limit" }
  | { readonly type: "overloaded" }
  | { readonly type: "unauthorized" }
  /** An error of the API with this status, kind and message. */
  | { readonly type: "refused"; readonly status: number; readonly kind: string; readonly message: string }
  /** The answer is a page of a proxy in front of the API. */
  | { readonly type: "html"; readonly status: number }
  /** The socket is closed before anything is answered. */
  | { readonly type: "no_answer" }
  /** The stream of this turn ends with an error event once so many events were sent. */
  | { readonly type: "stream_error"; readonly afterEvents: number; readonly turn: SimulatedTurn }
  /** The stream of this turn is cut once so many events were sent. */
  | { readonly type: "cut"; readonly afterEvents: number; readonly turn: SimulatedTurn };

/** One answer of the simulated model. The stop reason is `tool_use` when there is a call, else `end_turn`. */
export interface SimulatedTurn {
  readonly content: readonly SimulatedBlock[];
  readonly stop_reason?: string;
  readonly stop_details?: WireObject;
  /** Milliseconds from the request to the first byte. */
  readonly delayMs?: number;
  readonly fault?: undefined;
}

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedStep = SimulatedTurn | { readonly fault: SimulatedFault };

/** A turn whose blocks are complete: ids minted, inputs there. */
export interface CompleteTurn {
  readonly content: readonly SimulatedBlock[];
  readonly stopReason: string;
  readonly stopDetails: WireObject | null;
  readonly outputTokens: number;
}

/** Gives every call an id and every turn a stop reason. `mintId` returns a new id with each call. */
export function completeTurn(turn: SimulatedTurn, mintId: () => string): CompleteTurn {
  const content = turn.content.map((block) =>
    block.type === "tool_use" ? { ...block, id: block.id ?? mintId(), input: block.input ?? {} } : block,
  );
  const calls = content.some((block) => block.type === "tool_use");
  return {
    content,
    stopReason: turn.stop_reason ?? (calls ? "tool_use" : "end_turn"),
    stopDetails: turn.stop_details ?? null,
    outputTokens: Math.ceil(JSON.stringify(content).length / 4),
  };
}
