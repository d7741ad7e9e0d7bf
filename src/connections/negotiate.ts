import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../types/ports.ts";
import { isObject } from "../util/own.ts";
import { repairError } from "./ingest-envelope.ts";
import { repairDiscover } from "./ingest-handshake.ts";
import {
  type ClientIdentity,
  clientCapabilitiesKey,
  clientInfoKey,
  type Era,
  legacyVersions,
  modernVersions,
  protocolVersionKey,
} from "./protocol.ts";

/** What a conversation about the era ended with. */
export type Negotiated =
  | { readonly type: "modern"; readonly discover: Record<string, unknown> }
  | {
      readonly type: "legacy";
      readonly initialize: unknown;
      /** The era to remember: a server that also answered the probe is modern next time. */
      readonly remember: Era;
    }
  /** The server ended; `mute` when it had been asked nothing but the probe, which some servers die of. */
  | { readonly type: "exited"; readonly mute: boolean }
  /** The server refused: the sentence says what it said. */
  | { readonly type: "refused"; readonly reason: string };

export interface Negotiation {
  readonly settled: Promise<Negotiated>;
  /** Gives up listening and hands over what the server sent in the meantime. */
  release(): readonly JSONRPCMessage[];
}

export interface NegotiateOptions {
  readonly mode: "auto" | Era;
  /** Milliseconds until `initialize` is sent to a server that has not answered the probe; null means never. */
  readonly hedgeMs: number | null;
  readonly identity: ClientIdentity;
  readonly clock: Clock;
}

const probeId = "host-probe";
const initializeId = "host-init";
const mostHeld = 100;

/**
 * Finds out over a started transport which era the server speaks, on the one process that will be used. `server/discover`
 * is asked first; a server that does not know it is asked to `initialize`, and so is one that stays silent. Once
 * `initialize` is on the wire its answer decides, because it has put a server of both eras into the old one.
 */
export function negotiate(transport: Transport, options: NegotiateOptions): Negotiation {
  const held: JSONRPCMessage[] = [];
  let probe: "unsent" | "open" | "failed" | Record<string, unknown> = "unsent";
  let initializeSent = false;
  let cancelHedge = (): void => {};
  let settle: (outcome: Negotiated) => void = () => {};
  const settled = new Promise<Negotiated>((resolve) => {
    settle = (outcome) => {
      cancelHedge();
      resolve(outcome);
    };
  });

  function send(id: string, method: string, params: Record<string, unknown>): void {
    // A server that cannot even be asked has not answered; its end, if that is why, says more and comes by itself.
    transport.send({ jsonrpc: "2.0", id, method, params }).catch(() => {
      if (id === probeId && probe === "open") probeAnswered({});
    });
  }

  function sendProbe(): void {
    probe = "open";
    send(probeId, "server/discover", {
      _meta: {
        [protocolVersionKey]: modernVersions[0],
        [clientInfoKey]: options.identity,
        [clientCapabilitiesKey]: {},
      },
    });
  }

  function sendInitialize(): void {
    if (initializeSent) return;
    initializeSent = true;
    send(initializeId, "initialize", {
      protocolVersion: legacyVersions[0],
      capabilities: {},
      clientInfo: options.identity,
    });
  }

  function probeAnswered(message: Record<string, unknown>): void {
    const discover = readDiscover(message.result);
    probe = discover ?? "failed";
    if (discover !== null) {
      if (!initializeSent) settle({ type: "modern", discover });
    } else if (options.mode === "modern") {
      settle({
        type: "refused",
        reason: `it does not speak ${modernVersions[0]}${quoteError(message.error)}`,
      });
    } else sendInitialize();
  }

  function initializeAnswered(message: Record<string, unknown>): void {
    const { result } = message;
    if (isObject(result) && typeof result.protocolVersion === "string") {
      if (legacyVersions.includes(result.protocolVersion)) {
        const remember = typeof probe === "object" ? "modern" : "legacy";
        settle({ type: "legacy", initialize: result, remember });
      } else
        settle({
          type: "refused",
          reason: `it speaks the unknown protocol version ${JSON.stringify(result.protocolVersion)}`,
        });
    } else if (typeof probe === "object") settle({ type: "modern", discover: probe });
    else if (probe !== "open") {
      settle({ type: "refused", reason: `it did not accept initialize${quoteError(message.error)}` });
    }
  }

  transport.onmessage = (message) => {
    const received: unknown = message;
    if (!isObject(received)) return;
    if (typeof received.method === "string") {
      if (held.length < mostHeld) held.push(message);
      return;
    }
    const anonymousError = (received.id === null || received.id === undefined) && isObject(received.error);
    if (received.id === initializeId || (anonymousError && probe !== "open")) initializeAnswered(received);
    else if ((received.id === probeId || anonymousError) && probe === "open") probeAnswered(received);
  };
  transport.onclose = () => settle({ type: "exited", mute: probe !== "unsent" });

  if (options.mode === "legacy") sendInitialize();
  else {
    sendProbe();
    if (options.mode === "auto" && options.hedgeMs !== null) {
      cancelHedge = options.clock.after(options.hedgeMs, sendInitialize);
    }
  }
  return {
    settled,
    release() {
      cancelHedge();
      transport.onmessage = undefined;
      transport.onclose = undefined;
      return held;
    },
  };
}

/** The result of the probe when it offers a revision that the host speaks. */
function readDiscover(result: unknown): Record<string, unknown> | null {
  if (!isObject(result)) return null;
  const discover = repairDiscover(result);
  const offered: unknown = discover.supportedVersions;
  const mutual = Array.isArray(offered) && modernVersions.some((version) => offered.includes(version));
  return mutual ? discover : null;
}

function quoteError(error: unknown): string {
  if (error === undefined || error === null) return "";
  const { code, message } = repairError(error);
  return `: error ${code}, ${JSON.stringify(message)}`;
}
