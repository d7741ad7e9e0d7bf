import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { cancelReason } from "./abort-call.ts";
import { takeCallResult } from "./ingest-answer.ts";
import { repairError } from "./ingest-envelope.ts";
import type { Pending, PendingRequests } from "./pending.ts";
import type { CallSink } from "./sinks.ts";

/**
 * Sends one `tools/call`; its end goes to the sink, then `settle` is run once. The returned function tells the server
 * that nobody waits any more, and then `settle` is not run. `trace` goes into the `_meta` of the request.
 */
export type DirectCall = (
  params: CallParams,
  sink: CallSink,
  settle: () => void,
  trace?: Readonly<Record<string, string>>,
) => () => void;

interface CallParams {
  readonly name: string;
  readonly arguments: unknown;
}

/** The SDK counts its own ids from 0: they never meet. */
const firstId = 1_000_000_000;

/** Where calls go, and what they share. */
interface Calls {
  readonly transport: Transport;
  readonly pending: PendingRequests;
  readonly meta: Readonly<Record<string, unknown>> | null;
  nextId: number;
}

/** Calls over a transport that carries everything in one stream, with ids of their own among the SDK's requests. */
export function createDirectCalls(
  transport: Transport,
  pending: PendingRequests,
  meta: Readonly<Record<string, unknown>> | null,
): DirectCall {
  const calls: Calls = { transport, pending, meta, nextId: firstId };
  return (params, sink, settle, trace) => {
    const answered = (message: Record<string, unknown> | null): void => {
      if (message !== null) takeAnswer(message, sink, meta !== null);
      settle();
    };
    const entry = request(calls, params, sink, answered, trace);
    return () => cancel(calls, entry);
  };
}

function request(
  calls: Calls,
  params: object,
  sink: CallSink,
  answered: NonNullable<Pending["answered"]>,
  trace: Readonly<Record<string, string>> | undefined,
): Pending {
  const { transport, pending, meta } = calls;
  const id = calls.nextId;
  calls.nextId += 1;
  const entry = { id, method: "tools/call", modern: meta !== null, sink, stream: null, answered };
  pending.add(entry);
  sink.sent = true;
  send(transport, {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { ...params, _meta: { ...meta, ...trace, progressToken: id } },
  }).catch((error: unknown) => {
    if (!pending.remove(entry)) return;
    sink.sendError = error;
    answered(null);
  });
  return entry;
}

function cancel({ transport, pending }: Calls, entry: Pending): void {
  if (pending.find(entry.id) !== entry) return;
  pending.cancel(entry.id);
  const cancelled = { requestId: entry.id, reason: cancelReason };
  // A server that cannot be told any more has nothing left to cancel.
  send(transport, { jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled }).catch(() => {});
}

function send(transport: Transport, message: object): Promise<void> {
  return transport.send(message as JSONRPCMessage);
}

/** Puts the answer into the sink. */
function takeAnswer({ error, result }: Record<string, unknown>, sink: CallSink, modern: boolean): void {
  if (error !== undefined && error !== null) sink.error = repairError(error);
  else takeCallResult(sink, result, modern);
}
