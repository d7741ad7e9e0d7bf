import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { createDirectCalls, type DirectCall } from "./direct-call.ts";
import { failedAnswer, ingestAnswer } from "./ingest-answer.ts";
import { repairInitialize } from "./ingest-handshake.ts";
import { createPendingRequests, type Pending, type RequestId } from "./pending.ts";
import { internalError, protocolVersionKey } from "./protocol.ts";
import { type Sink, sinkKey } from "./sinks.ts";

/** The notifications that the SDK acts on. It has no handler for any other, and a server may send many. */
const heard = new Set(["notifications/cancelled", "notifications/subscriptions/acknowledged"]);

export interface IngestOptions {
  /** The transport runs already: the Client's `start()` must not start it again. */
  readonly started?: boolean;
  /** The answer to `initialize`, when the handshake has already taken place on this transport. */
  readonly initializeResult?: unknown;
  readonly onToolsChanged: () => void;
}

/** The transport that the SDK's Client sees. */
export interface IngestTransport extends Transport {
  /** Calls beside the Client, once it is connected; `meta` is what every request of a modern revision carries. */
  direct(meta: Readonly<Record<string, unknown>> | null): DirectCall;
}

/**
 * Puts itself between a transport and the SDK's Client. The Client rejects a whole list for one bad tool, a whole
 * result for one unknown block, and waits for ever for an answer with a bad envelope; here each is repaired or set
 * aside on its own. Answers of calls and lists go to their sinks whole, and the SDK sees an empty stand-in.
 */
export function createIngestTransport(inner: Transport, options: IngestOptions): IngestTransport {
  const pending = createPendingRequests();
  const outer: IngestTransport = {
    direct: (meta) => createDirectCalls(inner, pending, meta),
    start: async () => {
      if (options.started !== true) await inner.start();
    },
    close: () => inner.close(),
    send,
    get sessionId() {
      return inner.sessionId;
    },
    get hasPerRequestStream() {
      return inner.hasPerRequestStream === true;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  inner.onmessage = (message, extra) => receive(message, extra);
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => {
    pending.clear();
    outer.onclose?.();
  };
  return outer;

  function deliver(message: object, extra?: MessageExtraInfo): void {
    outer.onmessage?.(message as JSONRPCMessage, extra);
  }

  async function send(message: JSONRPCMessage, sendOptions?: TransportSendOptions): Promise<void> {
    if (!("method" in message)) return inner.send(message, sendOptions);
    if (!("id" in message)) {
      if (message.method === "notifications/cancelled") pending.cancel(message.params?.requestId);
      return inner.send(message, sendOptions);
    }
    const { id, method } = message;
    // The SDK follows a subscription by itself, under its own id.
    if (method === "subscriptions/listen") return inner.send(message, sendOptions);
    if (method === "initialize" && options.initializeResult !== undefined) {
      queueMicrotask(() =>
        deliver({ jsonrpc: "2.0", id, result: repairInitialize(options.initializeResult) }),
      );
      return;
    }
    const { outgoing, sink, modern } = prepare(message);
    // On a modern connection the SDK ends the stream, which there is what cancels; on a legacy one nobody would.
    const stream = inner.hasPerRequestStream === true && !modern ? new AbortController() : null;
    const entry: Pending = { id, method, modern, sink, stream, answered: null };
    pending.add(entry);
    if (sink?.kind === "call") sink.sent = true;
    try {
      await inner.send(outgoing, {
        ...sendOptions,
        ...(stream === null ? {} : { requestSignal: stream.signal }),
        onRequestStreamEnd: () => streamEnded(entry),
      });
    } catch (error) {
      pending.remove(entry);
      if (sink?.kind === "call") sink.sendError = error;
      throw error;
    }
  }

  function streamEnded(entry: Pending): void {
    // The answer may be in the same tick as the end of its stream.
    setTimeout(() => {
      if (!pending.remove(entry)) return;
      if (entry.sink?.kind === "call") entry.sink.streamLost = true;
      const message = "The response stream ended without an answer.";
      deliver(failedAnswer(entry, { code: internalError, message }));
    }, 0);
  }

  function receive(message: unknown, extra?: MessageExtraInfo): void {
    if (Array.isArray(message)) for (const one of message) receive(one, extra);
    if (!isObject(message)) return;
    if (typeof message.method === "string") receiveCall(message, message.method, extra);
    else if ("result" in message || "error" in message) receiveAnswer(message, extra);
  }

  /** A request or notification of the server. */
  function receiveCall(message: Record<string, unknown>, method: string, extra?: MessageExtraInfo): void {
    if (method === "notifications/tools/list_changed") options.onToolsChanged();
    else if (method === "notifications/progress") receiveProgress(message.params);
    else if ("id" in message || heard.has(method)) deliver({ ...message, jsonrpc: "2.0" }, extra);
  }

  function receiveProgress(params: unknown): void {
    if (!isObject(params)) return;
    const entry = pending.find(params.progressToken);
    const { progress, total, message } = params;
    if (entry?.sink?.kind !== "call" || typeof progress !== "number" || !Number.isFinite(progress)) return;
    entry.sink.onProgress({
      progress,
      ...(typeof total === "number" && Number.isFinite(total) ? { total } : {}),
      ...(typeof message === "string" ? { text: message } : {}),
    });
  }

  function receiveAnswer(message: Record<string, unknown>, extra?: MessageExtraInfo): void {
    if (typeof message.id === "string" && message.id.startsWith("listen:")) {
      deliver(message, extra);
      return;
    }
    const entry = pending.take(message.id);
    if (entry === undefined) return;
    if (entry.answered === null) deliver(ingestAnswer(entry, message), extra);
    else entry.answered(message);
  }
}

/** The request as it goes on the wire, and what its `_meta` said to the host. */
function prepare(message: Extract<JSONRPCMessage, { method: string; id: RequestId }>): {
  outgoing: JSONRPCMessage;
  sink: Sink | undefined;
  modern: boolean;
} {
  const meta = message.params?._meta as (Record<string, unknown> & { [sinkKey]?: Sink }) | undefined;
  if (meta === undefined) return { outgoing: message, sink: undefined, modern: false };
  const { [sinkKey]: sink, ...rest } = meta;
  if (sink?.kind === "call") rest.progressToken = message.id;
  const { _meta: _, ...params } = message.params ?? {};
  const outgoing = {
    ...message,
    params: Object.keys(rest).length === 0 ? params : { ...params, _meta: rest },
  };
  return { outgoing: outgoing as JSONRPCMessage, sink, modern: protocolVersionKey in rest };
}
