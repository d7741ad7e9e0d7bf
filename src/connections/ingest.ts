import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { createDirectCalls, type DirectCall } from "./direct-call.ts";
import { forwardTransport } from "./forward-transport.ts";
import { receiveFromServer } from "./ingest-receive.ts";
import { sendForClient } from "./ingest-send.ts";
import type { IngestState } from "./ingest-state.ts";
import { createPendingRequests } from "./pending.ts";
import { createLegacyRequests } from "./server-requests/legacy-requests.ts";
import type { ServerRequests } from "./server-requests/server-requests.ts";

export interface IngestOptions {
  /** The transport runs already: the Client's `start()` must not start it again. */
  readonly started?: boolean;
  /** The answer to `initialize`, when the handshake has already taken place on this transport. */
  readonly initializeResult?: unknown;
  readonly requests: ServerRequests;
  readonly onToolsChanged: () => void;
  readonly onOffersChanged?: () => void;
}

/** The transport that the SDK's Client sees. */
export interface IngestTransport extends Transport {
  /** Calls beside the Client, once it is connected; `meta` is what every request of a modern revision carries. */
  direct(meta: Readonly<Record<string, unknown>> | null): DirectCall;
  /** How many messages were of no use so far. */
  unusable(): number;
}

/**
 * Puts itself between a transport and the SDK's Client. The Client rejects a whole list for one bad tool, a whole
 * result for one unknown block, and waits for ever for an answer with a bad envelope; here each is repaired or set
 * aside on its own. Answers of calls and lists go to their sinks whole, and the SDK sees an empty stand-in.
 */
export function createIngestTransport(inner: Transport, options: IngestOptions): IngestTransport {
  const pending = createPendingRequests();
  const { answer, notified } = options.requests;
  const requests = createLegacyRequests({
    answer,
    calls: pending.asking,
    send: (message) => inner.send(message),
  });
  const state: IngestState = {
    inner,
    pending,
    initializeResult: options.initializeResult,
    onToolsChanged: options.onToolsChanged,
    onOffersChanged: options.onOffersChanged ?? (() => {}),
    legacy: false,
    unusable: 0,
    requests,
    notified,
    deliver: (message, extra) => outer.onmessage?.(message as JSONRPCMessage, extra),
  };
  const outer = forwardTransport(inner, {
    start: async () => {
      if (options.started !== true) await inner.start();
    },
    send: (message, sendOptions) => sendForClient(state, message, sendOptions),
  });
  inner.onmessage = (message, extra) => receiveFromServer(state, message, extra);
  inner.onclose = () => {
    pending.clear();
    requests.close();
    outer.onclose?.();
  };
  return Object.assign(outer, {
    unusable: () => state.unusable,
    direct: (meta: Readonly<Record<string, unknown>> | null) => createDirectCalls(inner, pending, meta),
  });
}
