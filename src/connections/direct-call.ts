import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { cancelReason } from "./call.ts";
import { askedInput } from "./ingest-answer.ts";
import { ingestCallResult } from "./ingest-content.ts";
import { repairError } from "./ingest-envelope.ts";
import type { Pending, PendingRequests } from "./pending.ts";
import { internalError, type WireError } from "./protocol.ts";
import type { CallSink } from "./sinks.ts";

/**
 * Sends one `tools/call`; its end goes to the sink, then `settle` is run once. The returned function tells the server
 * that nobody waits any more, and then `settle` is not run.
 */
export type DirectCall = (params: CallParams, sink: CallSink, settle: () => void) => () => void;

interface CallParams {
  readonly name: string;
  readonly arguments: unknown;
}

/** The SDK counts its own ids from 0: they never meet. */
const firstId = 1_000_000_000;

/** How often a server may answer only with a state to be sent back (MCP 2026-07-28, `input_required` without requests). */
const roundsAtMost = 10;

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
  return (params, sink, settle) => {
    let rounds = 0;
    let current: Pending;

    function answered(message: Record<string, unknown> | null): void {
      const state = message === null ? null : takeAnswer(message, sink);
      if (state === null) {
        settle();
        return;
      }
      rounds += 1;
      if (rounds < roundsAtMost) {
        const again = { ...params, requestState: state.requestState };
        // Not at once: an answer may come while its request is still being sent.
        queueMicrotask(() => {
          current = request(calls, again, sink, answered);
        });
        return;
      }
      sink.error = failed(`The server asked ${rounds} times to be asked again.`);
      settle();
    }

    current = request(calls, params, sink, answered);
    return () => cancel(calls, current);
  };
}

function request(
  calls: Calls,
  params: object,
  sink: CallSink,
  answered: NonNullable<Pending["answered"]>,
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
    params: { ...params, _meta: { ...meta, progressToken: id } },
  }).catch((error: unknown) => {
    if (!pending.remove(entry)) return;
    sink.sendError = error;
    answered(null);
  });
  return entry;
}

function cancel({ transport, pending }: Calls, entry: Pending): void {
  if (!pending.remove(entry)) return;
  const cancelled = { requestId: entry.id, reason: cancelReason };
  // A server that cannot be told any more has nothing left to cancel.
  send(transport, { jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled }).catch(() => {});
}

function send(transport: Transport, message: object): Promise<void> {
  return transport.send(message as JSONRPCMessage);
}

/** Puts the answer into the sink; what has to be sent back instead when the server asks for another round. */
function takeAnswer(
  { error, result }: Record<string, unknown>,
  sink: CallSink,
): { requestState: unknown } | null {
  if (error !== undefined && error !== null) {
    sink.error = repairError(error);
    return null;
  }
  if (isObject(result) && result.resultType === "input_required") {
    sink.error = askedInput({ method: "tools/call" }, result);
    return sink.error === null ? { requestState: result.requestState } : null;
  }
  sink.reply = ingestCallResult(result);
  return null;
}

function failed(message: string): WireError {
  return { code: internalError, message };
}
