import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { httpStatus } from "./failure.ts";
import { legacyVersions } from "./protocol.ts";

const reinitializeMs = 30_000;

/**
 * Keeps a legacy Streamable HTTP connection alive across the loss of its session: a server that has forgotten it
 * (HTTP 404, or 400 with a word about the session) gets one new `initialize` for all calls that wait, and each call is
 * sent once more. The lost calls never reached a tool, as the server refused them.
 */
export function createSessionTransport(inner: Transport, onRenewed: () => void): Transport {
  let initialize: Extract<JSONRPCMessage, { method: string }> | null = null;
  let renewing: Promise<void> | null = null;
  let renewals = 0;
  let generation = 0;
  let waiting: { readonly id: string; readonly answered: (message: Record<string, unknown>) => void } | null =
    null;

  const outer: Transport = {
    start: () => inner.start(),
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
  inner.onmessage = (message, extra) => {
    const received: unknown = message;
    if (waiting !== null && isObject(received) && received.id === waiting.id) waiting.answered(received);
    else outer.onmessage?.(message, extra);
  };
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => outer.onclose?.();
  return outer;

  async function send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ("method" in message && message.method === "initialize") initialize = message;
    const sentIn = generation;
    const hadSession = inner.sessionId !== undefined;
    try {
      await inner.send(message, options);
    } catch (error) {
      if (!hadSession || initialize === null || !isSessionLoss(error)) throw error;
      // Another call may have renewed the session while this one was on its way.
      if (sentIn === generation) {
        renewing ??= renew(initialize).finally(() => {
          renewing = null;
        });
        await renewing;
      }
      await inner.send(message, options);
    }
  }

  async function renew(first: Extract<JSONRPCMessage, { method: string }>): Promise<void> {
    renewals += 1;
    const { result } = await exchange({ ...first, jsonrpc: "2.0", id: `host-renew-${renewals}` });
    const version = isObject(result) ? result.protocolVersion : undefined;
    if (typeof version !== "string" || !legacyVersions.includes(version)) throw lost();
    inner.setProtocolVersion?.(version);
    generation += 1;
    await inner.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    onRenewed();
  }

  /** Sends a request of our own and takes its answer before anybody above sees it. */
  async function exchange(request: JSONRPCMessage & { id: string }): Promise<Record<string, unknown>> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<Record<string, unknown>>((resolve, reject) => {
        waiting = { id: request.id, answered: resolve };
        timer = setTimeout(() => reject(lost()), reinitializeMs);
        // The answer may be in the same tick as the end of its stream.
        const onRequestStreamEnd = () => setTimeout(() => reject(lost()), 0);
        inner.send(request, { onRequestStreamEnd }).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      waiting = null;
    }
  }
}

function lost(): Error {
  return new Error("The server lost the session and did not start a new one.");
}

function isSessionLoss(error: unknown): boolean {
  const status = httpStatus(error);
  if (status === 404) return true;
  const facts = error instanceof Error ? (error as { data?: unknown }).data : undefined;
  return status === 400 && isObject(facts) && typeof facts.text === "string" && /session/i.test(facts.text);
}
