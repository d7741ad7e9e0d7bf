import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { factsOf } from "./error-members.ts";
import { httpStatus } from "./failure.ts";
import { forwardTransport } from "./forward-transport.ts";
import type { HostSendOptions } from "./ingest-send.ts";
import { legacyVersions } from "./protocol.ts";

type Call = Extract<JSONRPCMessage, { method: string }>;

/** One connection through all its sessions. */
interface Session {
  readonly inner: Transport;
  /** Ids of the requests whose answer is one document. */
  readonly documents: Set<string | number>;
  readonly onRenewed: () => void;
  /** What began the first session begins every later one. */
  initialize: Call | null;
  renewing: Promise<void> | null;
  renewals: number;
  /** Counts the sessions: what was sent in an earlier one is sent again without another renewal. */
  generation: number;
  /** The request of our own whose answer nobody above may see. */
  waiting: { readonly id: string; readonly answered: (message: Record<string, unknown>) => void } | null;
}

const reinitializeMs = 30_000;

/**
 * Keeps a legacy Streamable HTTP connection alive across the loss of its session: a server that has forgotten it
 * (HTTP 404, or 400 with a word about the session) gets one new `initialize` for all calls that wait, and each call is
 * sent once more. The lost calls never reached a tool, as the server refused them.
 */
export function createSessionTransport(
  inner: Transport,
  documents: Set<string | number>,
  onRenewed: () => void,
): Transport {
  const session: Session = {
    inner,
    documents,
    onRenewed,
    initialize: null,
    renewing: null,
    renewals: 0,
    generation: 0,
    waiting: null,
  };
  const outer = forwardTransport(inner, {
    start: () => inner.start(),
    send: (message, options) => sendInSession(session, message, options),
  });
  inner.onmessage = (message, extra) => {
    const received: unknown = message;
    const { waiting } = session;
    if (waiting !== null && isObject(received) && received.id === waiting.id) waiting.answered(received);
    else outer.onmessage?.(message, extra);
  };
  return outer;
}

async function sendInSession(
  session: Session,
  message: JSONRPCMessage,
  options?: HostSendOptions,
): Promise<void> {
  const { inner, generation } = session;
  if ("method" in message && message.method === "initialize") session.initialize = message;
  const hadSession = inner.sessionId !== undefined;
  try {
    await deliver(session, message, options);
  } catch (error) {
    if (!hadSession || session.initialize === null || !isSessionLoss(error)) throw error;
    // Another call may have renewed the session while this one was on its way.
    if (generation === session.generation) {
      session.renewing ??= renew(session, session.initialize).finally(() => {
        session.renewing = null;
      });
      await session.renewing;
    }
    await deliver(session, message, options);
  }
}

/** Sends a message. An answer that is one document has been delivered whole by then. */
async function deliver(
  { inner, documents }: Session,
  message: JSONRPCMessage,
  options?: HostSendOptions,
): Promise<void> {
  const id = "id" in message ? message.id : undefined;
  try {
    await inner.send(message, options);
    if (id !== undefined && documents.has(id)) options?.onDocumentEnd?.();
  } finally {
    if (id !== undefined) documents.delete(id);
  }
}

async function renew(session: Session, initialize: Call): Promise<void> {
  const { inner } = session;
  session.renewals += 1;
  const { result } = await exchange(session, {
    ...initialize,
    jsonrpc: "2.0",
    id: `host-renew-${session.renewals}`,
  });
  const version = isObject(result) ? result.protocolVersion : undefined;
  if (typeof version !== "string" || !legacyVersions.includes(version)) throw lost();
  inner.setProtocolVersion?.(version);
  session.generation += 1;
  await inner.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  session.onRenewed();
}

/** Sends a request of our own and takes its answer before anybody above sees it. */
async function exchange(
  session: Session,
  request: JSONRPCMessage & { id: string },
): Promise<Record<string, unknown>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Record<string, unknown>>((resolve, reject) => {
      session.waiting = { id: request.id, answered: resolve };
      timer = setTimeout(() => reject(lost()), reinitializeMs);
      // The answer may be in the same tick as the end of its stream.
      const onRequestStreamEnd = () => setTimeout(() => reject(lost()), 0);
      deliver(session, request, { onRequestStreamEnd, onDocumentEnd: onRequestStreamEnd }).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    session.waiting = null;
  }
}

function lost(): Error {
  return new Error("The server lost the session and did not start a new one.");
}

/** The server has forgotten the session: it refused the message, so that nothing came of it. */
export function isSessionLoss(error: unknown): boolean {
  const status = httpStatus(error);
  if (status === 404) return true;
  const { text } = factsOf(error);
  return status === 400 && typeof text === "string" && /session/i.test(text);
}
