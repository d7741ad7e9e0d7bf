import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { lookupOf } from "./lookup.ts";
import type { Agents, Way } from "./proxy.ts";
import type { OutgoingRequest } from "./request.ts";

/** How long a connection may take to be made. */
const connectLimitMs = 15_000;

/** Errors of a socket that the other side had closed. */
const staleCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);

/**
 * Sends a request and gives the answer once its head is there. A connection that was kept open and turns out to be
 * closed is replaced once, when the request may be sent twice.
 * @throws TypeError "fetch failed" with its cause, or the signal's reason.
 */
export async function exchange(request: OutgoingRequest, agents: Agents): Promise<IncomingMessage> {
  request.signal?.throwIfAborted();
  const way = agents.wayTo(request.url);
  try {
    return await send(request, way, null);
  } catch (thrown) {
    const stale = thrown instanceof StaleConnection && request.replayable;
    if (!stale) throw thrown instanceof StaleConnection ? failed(thrown.cause) : thrown;
    const fresh = way.tunnel ?? (way.secure ? new HttpsAgent() : new HttpAgent());
    return send(request, way, fresh).catch((again: unknown) => {
      throw again instanceof StaleConnection ? failed(again.cause) : again;
    });
  }
}

class StaleConnection extends Error {}

function failed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function send(request: OutgoingRequest, way: Way, fresh: HttpAgent | null): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, mayConnectTo } = request;
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = (way.secure ? httpsRequest : httpRequest)({
      method,
      hostname: way.hostname,
      port: way.port,
      path: way.path,
      headers: { ...headers, ...way.headers, host: url.host },
      agent: fresh ?? way.agent,
      ...(mayConnectTo !== null && way.isDirect ? { lookup: lookupOf(mayConnectTo) } : {}),
    });
    const abort = (): void => {
      // Where the end of the answer is read in this very moment, Node takes its own listener away: an error would be thrown.
      outgoing.socket?.on("error", () => {});
      outgoing.destroy(new Error("aborted"));
      reject(signal?.reason);
    };
    const settled = (): void => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort, { once: true });
    limitConnecting(outgoing);
    const refuse = (why: string): void => {
      settled();
      reject(failed(new Error(why)));
    };
    outgoing.on("response", (incoming) => {
      answered = true;
      const { statusCode = 0 } = incoming;
      if (statusCode < 200 || statusCode > 599) {
        incoming.destroy();
        refuse(`its status ${statusCode} is none of HTTP`);
        return;
      }
      incoming.once("close", settled);
      resolve(incoming);
    });
    // Node leaves such a connection to whoever asked for the other protocol, and tells nobody else.
    outgoing.on("upgrade", (_incoming, socket) => {
      answered = true;
      socket.destroy();
      refuse("it changes to another protocol, which nobody asked for");
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (answered) return;
      settled();
      const stale = outgoing.reusedSocket && staleCodes.has(error.code);
      reject(stale ? new StaleConnection("stale", { cause: error }) : failed(error));
    });
    // Corked, so that all pieces go to the socket in one call.
    outgoing.cork();
    for (const chunk of body) outgoing.write(chunk);
    outgoing.end();
    outgoing.uncork();
  });
}

function limitConnecting(outgoing: ClientRequest): void {
  outgoing.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      outgoing.destroy(
        Object.assign(new Error("the connection could not be made in time"), { code: "ETIMEDOUT" }),
      );
    }, connectLimitMs);
    const clear = (): void => clearTimeout(timer);
    socket.once("connect", clear);
    socket.once("close", clear);
  });
}
