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
  foreignVersions,
  legacyCapabilities,
  legacyVersions,
  modernVersions,
  protocolVersionKey,
} from "./protocol.ts";
import { onlySpeaks } from "./sdk-words.ts";

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
  /** What servers may ask of the host, as `ClientCapabilities`. */
  readonly capabilities: Readonly<Record<string, object>>;
  readonly clock: Clock;
  /** Told when `initialize` cannot be sent and nothing else is awaited. Default: the transport ends by itself then. */
  readonly onUnsent?: (error: unknown) => void;
}

const probeId = "host-probe";
const initializeId = "host-init";
const mostHeld = 100;

/** How far the conversation has come. */
interface Talk {
  readonly transport: Transport;
  readonly options: NegotiateOptions;
  /** What became of the probe; an object when it was answered with a revision that the host speaks. */
  probe: "unsent" | "open" | "failed" | Record<string, unknown>;
  initializeSent: boolean;
  /** How `initialize` was refused while the probe was still open: it ends with the answer to that. */
  refusal: { readonly error: unknown } | null;
  /** The versions that were offered to the probe, none of which the host speaks. */
  foreign: readonly string[] | null;
  cancelHedge: () => void;
  /** Ends the conversation; only the first time counts. */
  readonly settle: (outcome: Negotiated) => void;
}

/**
 * Finds out over a started transport which era the server speaks, on the one process that will be used. `server/discover`
 * is asked first; a server that does not know it is asked to `initialize`, and so is one that stays silent. Once
 * `initialize` is on the wire its answer decides, because it has put a server of both eras into the old one.
 */
export function negotiate(transport: Transport, options: NegotiateOptions): Negotiation {
  let resolve: (outcome: Negotiated) => void = () => {};
  const settled = new Promise<Negotiated>((onSettled) => {
    resolve = onSettled;
  });
  const talk: Talk = {
    transport,
    options,
    probe: "unsent",
    initializeSent: false,
    refusal: null,
    foreign: null,
    cancelHedge: () => {},
    settle(outcome) {
      talk.cancelHedge();
      resolve(outcome);
    },
  };
  const held: JSONRPCMessage[] = [];
  transport.onmessage = (message) => {
    const received: unknown = message;
    if (!isObject(received)) return;
    if (typeof received.method !== "string") answered(talk, received);
    else if (held.length < mostHeld) held.push(message);
  };
  transport.onclose = () => talk.settle({ type: "exited", mute: talk.probe !== "unsent" });
  begin(talk);
  return {
    settled,
    release() {
      talk.cancelHedge();
      transport.onmessage = undefined;
      transport.onclose = undefined;
      return held;
    },
  };
}

function begin(talk: Talk): void {
  const { mode, hedgeMs, clock } = talk.options;
  if (mode === "legacy") {
    sendInitialize(talk);
    return;
  }
  sendProbe(talk);
  if (mode === "auto" && hedgeMs !== null) {
    talk.cancelHedge = clock.after(hedgeMs, () => sendInitialize(talk));
  }
}

function send(talk: Talk, id: string, method: string, params: Record<string, unknown>): void {
  // A server that cannot even be asked has not answered; its end, if that is why, says more and comes by itself.
  talk.transport.send({ jsonrpc: "2.0", id, method, params }).catch((error: unknown) => {
    if (id === initializeId) initializeUnsent(talk, error);
    else if (talk.probe === "open") probeAnswered(talk, {});
  });
}

function sendProbe(talk: Talk): void {
  talk.probe = "open";
  send(talk, probeId, "server/discover", {
    _meta: {
      [protocolVersionKey]: modernVersions[0],
      [clientInfoKey]: talk.options.identity,
      [clientCapabilitiesKey]: talk.options.capabilities,
    },
  });
}

function sendInitialize(talk: Talk): void {
  if (talk.initializeSent) return;
  talk.initializeSent = true;
  send(talk, initializeId, "initialize", {
    protocolVersion: legacyVersions[0],
    capabilities: legacyCapabilities(talk.options.capabilities),
    clientInfo: talk.options.identity,
  });
}

/** An error without an id is the answer to the probe while that is awaited, and to `initialize` from then on. */
function answered(talk: Talk, message: Record<string, unknown>): void {
  const anonymousError = (message.id === null || message.id === undefined) && isObject(message.error);
  const probing = talk.probe === "open";
  if (message.id === initializeId || (anonymousError && !probing)) initializeAnswered(talk, message);
  else if (probing && (message.id === probeId || anonymousError)) probeAnswered(talk, message);
}

function probeAnswered(talk: Talk, { result, error }: Record<string, unknown>): void {
  const discover = readDiscover(result);
  talk.probe = discover ?? "failed";
  talk.foreign = foreignVersions(isObject(result) ? result.supportedVersions : supportedOf(error));
  if (talk.refusal !== null) initializeRefused(talk, talk.refusal.error);
  else if (discover !== null) {
    if (!talk.initializeSent) talk.settle({ type: "modern", discover });
  } else if (talk.options.mode === "modern")
    refuse(talk, `it does not speak ${modernVersions[0]}${quoteError(error)}`);
  else sendInitialize(talk);
}

function initializeAnswered(talk: Talk, { result, error }: Record<string, unknown>): void {
  const version = isObject(result) ? result.protocolVersion : undefined;
  if (typeof version !== "string") initializeRefused(talk, error);
  else if (legacyVersions.includes(version)) {
    const remember = typeof talk.probe === "object" ? "modern" : "legacy";
    talk.settle({ type: "legacy", initialize: result, remember });
  } else refuse(talk, `it speaks the unknown protocol version ${JSON.stringify(version)}`);
}

/** While the probe may still be answered it decides, as after a refusal. */
function initializeUnsent(talk: Talk, error: unknown): void {
  if (talk.probe === "open" || typeof talk.probe === "object") initializeRefused(talk, undefined);
  else talk.options.onUnsent?.(error);
}

function initializeRefused(talk: Talk, error: unknown): void {
  const { probe } = talk;
  talk.refusal = { error };
  if (typeof probe === "object") talk.settle({ type: "modern", discover: probe });
  else if (probe !== "open") refuse(talk, `it did not accept initialize${quoteError(error)}`);
}

function refuse({ settle, foreign }: Talk, reason: string): void {
  settle({ type: "refused", reason: foreign === null ? reason : onlySpeaks(foreign) });
}

/** What an error of the versions says (MCP 2026-07-28, UnsupportedProtocolVersionError). */
function supportedOf(error: unknown): unknown {
  return isObject(error) && isObject(error.data) ? error.data.supported : undefined;
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
