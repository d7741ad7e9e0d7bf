import type { ReceivedRequest } from "./received-request.ts";

/** A JSON object as it came, of a request's body or of an answer. */
export type WireObject = Readonly<Record<string, unknown>>;

/** An answer that is one JSON object. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a question about a model: it is told, but is none of the requests to it. */
  readonly aside?: boolean;
}

/** What goes wrong with one request. It uses up its step: the next request takes the next one. */
export type SimulatedFault<Turn> =
  /** 429; with seconds to wait unless it is left out. */
  | { readonly type: "rate_limited"; readonly retryAfter?: number }
  /** 429 of a spend limit that the account has reached: waiting does not help. */
  | { readonly type: "spend_limit" }
  | { readonly type: "overloaded" }
  | { readonly type: "unauthorized" }
  /** An error of the API with this status, kind and message. */
  | {
      readonly type: "refused";
      readonly status: number;
      readonly kind: string;
      readonly message: string;
      /** Facts that an API states beside the message, where it has a place for them. */
      readonly details?: WireObject;
    }
  /** The answer is a page of a proxy in front of the API. */
  | { readonly type: "html"; readonly status: number }
  /** The socket is closed before anything is answered. */
  | { readonly type: "no_answer" }
  /** The stream of this turn ends with an error event once so many events were sent. */
  | { readonly type: "stream_error"; readonly afterEvents: number; readonly turn: Turn }
  /** The stream of this turn is cut once so many events were sent. */
  | { readonly type: "cut"; readonly afterEvents: number; readonly turn: Turn };

/** A fault that the API answers with an error in its own form. */
export type RefusingFault = Extract<
  SimulatedFault<never>,
  { type: "rate_limited" | "spend_limit" | "overloaded" | "unauthorized" | "refused" }
>;

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedStep<Turn> = Turn | { readonly fault: SimulatedFault<Turn> };

/** What every turn may say beside its content. */
export interface TimedTurn {
  /** Milliseconds from the request to the first byte. */
  readonly delayMs?: number;
  readonly fault?: undefined;
}

/** One answer, in both forms. */
export interface WireAnswer {
  /** The answer as one object: what a request without streaming gets. */
  readonly json: object;
  /** The answer as the events of a stream, each a whole frame with its empty line. */
  readonly frames: readonly string[];
}

/** What one answer is made of. */
export interface AnswerOrder<Turn> {
  readonly request: ReceivedRequest;
  readonly turn: Turn;
  /** Number of the request, from 1. */
  readonly number: number;
  /** Length in characters of the pieces that texts and arguments are streamed in. */
  readonly deltaChars: number;
}

/** What one API does differently from the others. */
export interface SimulatedApi<Turn extends TimedTurn> {
  /** Refuses a request as the API does, or answers one that asks no model; null lets it through to the script. */
  check(request: ReceivedRequest): JsonAnswer | null;
  /** What answers when there is no script. */
  choose(request: ReceivedRequest): Turn;
  /** The error that stands for a fault. */
  refuse(fault: RefusingFault): JsonAnswer;
  answer(order: AnswerOrder<Turn>): WireAnswer;
  /** Whether the request asks for a stream. */
  streams(request: ReceivedRequest): boolean;
  /** The frame that an error in the middle of a stream is told by. */
  readonly errorFrame: string;
  /** Headers of every answer with a turn. */
  headers(number: number): Readonly<Record<string, string>>;
}
