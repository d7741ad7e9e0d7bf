import type { CallReply } from "../types/outcome.ts";
import type { CallProgress } from "../types/ports.ts";
import type { CallInput } from "../types/server-input.ts";
import type { WireError } from "./protocol.ts";
import type { CallAsking } from "./server-requests/answer.ts";
import type { InputRequired } from "./server-requests/input-required.ts";
import type { Task } from "./tasks/read-task.ts";

/**
 * Carries the sink of a request, which takes its raw answer, through the SDK to the ingest: it stands in `params._meta`
 * under this key and is taken out before anything is sent. No server sees it, and none can name it.
 */
export const sinkKey: unique symbol = Symbol("sink");

/** What is known of a request, also when it has no answer. */
export interface RequestSink {
  /** The transport was asked to send it. */
  sent: boolean;
  /** The transport refused it, and why. */
  sendError: unknown;
  /** The stream that should have carried the answer ended without it. */
  streamLost: boolean;
  error: WireError | null;
  /** What the server wants to know before it answers (`input_required`); null once that was taken up. */
  asked: InputRequired | null;
  /** Who answers what the server asks meanwhile; null: nobody, and it may ask for nothing. */
  readonly asking: CallAsking | null;
  onProgress(progress: CallProgress): void;
}

/** What became of one `tools/call`. */
export interface CallSink extends RequestSink {
  readonly kind: "call";
  reply: CallReply | null;
  /** The server goes on with the call as a task. */
  task: Task | null;
}

/** What became of a request whose result the host reads itself. */
export interface RawSink extends RequestSink {
  readonly kind: "raw";
  /** What the SDK sees in the place of the result. */
  readonly standIn: Readonly<Record<string, unknown>>;
  answer: { readonly result: unknown } | null;
}

export function callSink(onProgress: (progress: CallProgress) => void, input?: CallInput): CallSink {
  return {
    kind: "call",
    sent: false,
    sendError: undefined,
    streamLost: false,
    reply: null,
    error: null,
    asked: null,
    task: null,
    asking: askingOf(input),
    onProgress,
  };
}

function askingOf(input: CallInput | undefined): CallAsking | null {
  return input === undefined ? null : { input, questions: 0, watchers: new Set() };
}

export function rawSink(
  standIn: Readonly<Record<string, unknown>>,
  onProgress: (progress: CallProgress) => void,
  input?: CallInput,
): RawSink {
  return {
    kind: "raw",
    standIn,
    sent: false,
    sendError: undefined,
    streamLost: false,
    answer: null,
    error: null,
    asked: null,
    asking: askingOf(input),
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

export type Sink = CallSink | RawSink | ListSink;

/** Whether the sink follows its request to the end, whatever it is. */
export function isTracked(sink: Sink | undefined): sink is CallSink | RawSink {
  return sink !== undefined && sink.kind !== "list";
}
