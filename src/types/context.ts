import type { Emit } from "./events.ts";
import type { ModelRequest, Usage } from "./model.ts";

/** Tokens of a request's input, as far as they are known before it is sent. A count of the API makes them equal. */
export interface TokenBounds {
  readonly least: number;
  readonly likely: number;
  readonly most: number;
}

/** A request that is about to be sent. Its messages may hold short texts in place of earlier results. */
export interface FittedRequest {
  readonly request: ModelRequest;
  /** Its input has at least this many tokens; 0 where nobody needs to know. */
  readonly leastTokens: number;
}

/** Keeps the requests of one run within what the model reads. It never rejects. */
export interface ContextWindow {
  /**
   * The request as it is to be sent: room is made when it comes near the window. `tokensLeft` is what the run may still
   * use, for which a closer count is worth asking the API.
   */
  fit(request: ModelRequest, turn: number, tokensLeft: number, emit: Emit): Promise<FittedRequest>;
  /**
   * Makes room after the API said that the request is too long, and gives the one to ask again with; null when there is
   * nothing left to leave out. Takes the request with the transcript's own messages, as `fit` does.
   */
  shrink(request: ModelRequest, turn: number, emit: Emit): Promise<ModelRequest | null>;
  /** Takes what the API counted of a request that it answered. */
  answered(request: ModelRequest, usage: Usage): void;
}
