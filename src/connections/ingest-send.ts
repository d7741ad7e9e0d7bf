import type { JSONRPCMessage, TransportSendOptions } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { failedAnswer } from "./ingest-answer.ts";
import { repairInitialize } from "./ingest-handshake.ts";
import type { IngestState } from "./ingest-state.ts";
import type { Pending, RequestId } from "./pending.ts";
import { internalError, legacyCapabilities, protocolVersionKey } from "./protocol.ts";
import { isTracked, type Sink, sinkKey } from "./sinks.ts";
import { standInError } from "./stand-in.ts";

type Request = Extract<JSONRPCMessage, { method: string; id: RequestId }>;

/** How this host sends over a transport with one stream a request. */
export interface HostSendOptions extends TransportSendOptions {
  /** The answer was one document, and all of it has been delivered. */
  readonly onDocumentEnd?: () => void;
}

/** Sends what the SDK's Client sends, and remembers the requests whose answers the ingest repairs. */
export async function sendForClient(
  state: IngestState,
  message: JSONRPCMessage,
  options?: TransportSendOptions,
): Promise<void> {
  const { inner, pending, initializeResult } = state;
  if (!("method" in message)) return inner.send(message, options);
  if (!("id" in message)) {
    if (message.method === "notifications/cancelled") pending.cancel(message.params?.requestId);
    return inner.send(message, options);
  }
  const { id, method } = message;
  // The SDK follows a subscription by itself, under its own id.
  if (method === "subscriptions/listen") return inner.send(message, options);
  if (method === "initialize") state.legacy = true;
  if (method === "initialize" && initializeResult !== undefined) {
    queueMicrotask(() => state.deliver({ jsonrpc: "2.0", id, result: repairInitialize(initializeResult) }));
    return;
  }
  const { outgoing, sink, modern } = prepare(method === "initialize" ? withoutExtensions(message) : message);
  // On a modern connection the SDK ends the stream, which there is what cancels; on a legacy one nobody would.
  const stream = inner.hasPerRequestStream === true && !modern ? new AbortController() : null;
  const entry: Pending = { id, method, modern, sink, stream, answered: null };
  pending.add(entry);
  if (isTracked(sink)) sink.sent = true;
  try {
    const sending: HostSendOptions = {
      ...options,
      ...(stream === null ? {} : { requestSignal: stream.signal }),
      onRequestStreamEnd: () => streamEnded(state, entry),
      onDocumentEnd: () => documentEnded(state, entry),
    };
    await inner.send(outgoing, sending);
  } catch (error) {
    pending.remove(entry);
    if (isTracked(sink)) sink.sendError = error;
    throw error;
  }
}

function streamEnded({ pending, deliver }: IngestState, entry: Pending): void {
  // The answer may be in the same tick as the end of its stream.
  setTimeout(() => {
    if (!pending.remove(entry)) return;
    if (isTracked(entry.sink)) entry.sink.streamLost = true;
    const message = "The response stream ended without an answer.";
    deliver(failedAnswer(entry, { code: internalError, message }));
  }, 0);
}

/** A document without the answer will not bring it, and nothing else will. */
function documentEnded({ pending, deliver }: IngestState, entry: Pending): void {
  if (!pending.remove(entry)) return;
  const message = "its answer belongs to no request of this host";
  deliver(failedAnswer(entry, standInError("foreign-answer", message)));
}

function withoutExtensions(message: Request): Request {
  const { params } = message;
  if (!isObject(params?.capabilities)) return message;
  return { ...message, params: { ...params, capabilities: legacyCapabilities(params.capabilities) } };
}

/** The request as it goes on the wire, and what its `_meta` said to the host. */
function prepare(message: Request): { outgoing: JSONRPCMessage; sink: Sink | undefined; modern: boolean } {
  const meta = message.params?._meta as (Record<string, unknown> & { [sinkKey]?: Sink }) | undefined;
  if (meta === undefined) return { outgoing: message, sink: undefined, modern: false };
  const { [sinkKey]: sink, ...rest } = meta;
  if (isTracked(sink)) rest.progressToken = message.id;
  const { _meta: _, ...params } = message.params ?? {};
  const outgoing = {
    ...message,
    params: Object.keys(rest).length === 0 ? params : { ...params, _meta: rest },
  };
  return { outgoing: outgoing as JSONRPCMessage, sink, modern: protocolVersionKey in rest };
}
