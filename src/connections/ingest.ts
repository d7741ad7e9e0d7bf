import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { ingestCallResult } from "./ingest-content.ts";
import { readTtl, repairError, repairResult, withModernMembers } from "./ingest-envelope.ts";
import { repairDiscover, repairInitialize } from "./ingest-handshake.ts";
import { internalError, protocolVersionKey, type WireError } from "./protocol.ts";
import { type Sink, sinkKey } from "./sinks.ts";

type RequestId = string | number;

interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly modern: boolean;
  readonly sink: Sink | undefined;
  /** Ends the stream that carries the answer, where there is one for each request. */
  readonly stream: AbortController | null;
}

/** The notifications that the SDK acts on. It has no handler for any other, and a server may send many. */
const heard = new Set(["notifications/cancelled", "notifications/subscriptions/acknowledged"]);

/** A server gets this long to end the stream of a cancelled call by itself, and may send its last words on it. */
const cancelledStreamMs = 1_000;

export interface IngestOptions {
  /** The transport runs already: the Client's `start()` must not start it again. */
  readonly started?: boolean;
  /** The answer to `initialize`, when the handshake has already taken place on this transport. */
  readonly initializeResult?: unknown;
  readonly onToolsChanged: () => void;
}

/**
 * Puts itself between a transport and the SDK's Client. The Client rejects a whole list for one bad tool, a whole
 * result for one unknown block, and waits for ever for an answer with a bad envelope; here each is repaired or set
 * aside on its own. Answers of calls and lists go to their sinks whole, and the SDK sees an empty stand-in.
 */
export function createIngestTransport(inner: Transport, options: IngestOptions): Transport {
  const pending = new Map<RequestId, Pending>();
  const outer: Transport = {
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
      if (message.method === "notifications/cancelled") forget(message.params?.requestId);
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
    const entry: Pending = { id, method, modern, sink, stream };
    pending.set(id, entry);
    if (sink?.kind === "call") sink.sent = true;
    try {
      await inner.send(outgoing, {
        ...sendOptions,
        ...(stream === null ? {} : { requestSignal: stream.signal }),
        onRequestStreamEnd: () => streamEnded(entry),
      });
    } catch (error) {
      if (pending.get(id) === entry) pending.delete(id);
      if (sink?.kind === "call") sink.sendError = error;
      throw error;
    }
  }

  /** A cancelled call still streams for a moment: its late answer is then unknown and dropped. */
  function forget(id: unknown): void {
    if (typeof id !== "number" && typeof id !== "string") return;
    const stream = pending.get(id)?.stream;
    pending.delete(id);
    if (stream) setTimeout(() => stream.abort(), cancelledStreamMs).unref();
  }

  function streamEnded(entry: Pending): void {
    // The answer may be in the same tick as the end of its stream.
    setTimeout(() => {
      if (pending.get(entry.id) !== entry) return;
      pending.delete(entry.id);
      if (entry.sink?.kind === "call") entry.sink.streamLost = true;
      deliver(
        failed(entry, { code: internalError, message: "The response stream ended without an answer." }),
      );
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
    const entry = find(params.progressToken);
    const { progress, total, message } = params;
    if (entry?.sink?.kind !== "call" || typeof progress !== "number" || !Number.isFinite(progress)) return;
    entry.sink.onProgress({
      progress,
      ...(typeof total === "number" && Number.isFinite(total) ? { total } : {}),
      ...(typeof message === "string" ? { text: message } : {}),
    });
  }

  function find(id: unknown): Pending | undefined {
    if (typeof id === "number") return pending.get(id);
    if (typeof id !== "string") return undefined;
    return pending.get(id) ?? (/^\d{1,15}$/.test(id) ? pending.get(Number(id)) : undefined);
  }

  function receiveAnswer(message: Record<string, unknown>, extra?: MessageExtraInfo): void {
    const { id, error, result } = message;
    if (typeof id === "string" && id.startsWith("listen:")) {
      deliver(message, extra);
      return;
    }
    const anonymous = id === null || id === undefined;
    // An answer without an id can only be matched while exactly one is awaited.
    const entry = anonymous && pending.size === 1 ? [...pending.values()][0] : find(id);
    if (entry === undefined) return;
    pending.delete(entry.id);
    const refusal = error === undefined || error === null ? askedInput(entry, result) : repairError(error);
    if (refusal !== null) deliver(failed(entry, refusal), extra);
    else deliver({ jsonrpc: "2.0", id: entry.id, result: resultForSdk(entry, result) }, extra);
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

function failed(entry: Pending, error: WireError): object {
  if (entry.sink?.kind === "call") entry.sink.error = error;
  return { jsonrpc: "2.0", id: entry.id, error };
}

/** No capability for input is declared, so a server that asks for some all the same cannot be answered. */
function askedInput(entry: Pending, result: unknown): WireError | null {
  if (entry.method !== "tools/call" || !isObject(result) || result.resultType !== "input_required")
    return null;
  const asked = isObject(result.inputRequests) ? Object.values(result.inputRequests) : [];
  if (asked.length === 0) return null;
  const methods = asked.map((one) => (isObject(one) && typeof one.method === "string" ? one.method : "?"));
  return {
    code: internalError,
    message: `The server asks for input that this host does not offer (${methods.join(", ")}).`,
  };
}

function resultForSdk(entry: Pending, raw: unknown): Record<string, unknown> {
  const complete = (result: Record<string, unknown>) => (entry.modern ? withModernMembers(result) : result);
  switch (entry.method) {
    case "initialize":
      return repairInitialize(raw);
    case "server/discover":
      return isObject(raw) && Array.isArray(raw.supportedVersions) ? repairDiscover(raw) : repairResult(raw);
    case "tools/call":
      if (isObject(raw) && raw.resultType === "input_required") return raw;
      if (entry.sink?.kind === "call") entry.sink.reply = ingestCallResult(raw);
      return complete({ content: [] });
    case "tools/list": {
      const result = repairResult(raw);
      const page = entry.sink?.kind === "list" ? entry.sink.page(result) : { tools: [] };
      return complete({ ...page, ttlMs: readTtl(result.ttlMs) });
    }
    default:
      return complete(repairResult(raw));
  }
}
