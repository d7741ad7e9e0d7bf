import type { CallReply } from "../types/outcome.ts";
import type { CallProgress } from "../types/ports.ts";
import type { WireError } from "./protocol.ts";

/**
 * Where one request's answer goes beside the SDK: it rides in `params._meta` under this key, is taken out before the
 * wire, and so no server can forge or see it.
 */
export const sinkKey: unique symbol = Symbol("sink");

/** What became of one `tools/call`. */
export interface CallSink {
  readonly kind: "call";
  /** The transport was asked to send it. */
  sent: boolean;
  /** The transport refused it, and why. */
  sendError: unknown;
  /** The stream that should have carried the answer ended without it. */
  streamLost: boolean;
  reply: CallReply | null;
  error: WireError | null;
  onProgress(progress: CallProgress): void;
}

export function callSink(onProgress: (progress: CallProgress) => void): CallSink {
  return {
    kind: "call",
    sent: false,
    sendError: undefined,
    streamLost: false,
    reply: null,
    error: null,
    onProgress,
  };
}

/** One page of `tools/list` as it goes on to the SDK. */
export interface PageForSdk {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Record<string, unknown> }[];
  readonly nextCursor?: string;
}

/** Collects the pages of one reading of `tools/list`. */
export interface ListSink {
  readonly kind: "list";
  /** Takes the raw result of a page and says what the SDK may see of it. */
  page(result: Record<string, unknown>): PageForSdk;
}

export type Sink = CallSink | ListSink;
