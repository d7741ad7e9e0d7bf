import type { MessageExtraInfo, Transport } from "@modelcontextprotocol/client";
import type { PendingRequests } from "./pending.ts";
import type { LegacyRequests } from "./server-requests/legacy-requests.ts";
import type { ServerRequests } from "./server-requests/server-requests.ts";

/** What the two directions of one ingest share. */
export interface IngestState {
  readonly inner: Transport;
  readonly pending: PendingRequests;
  /** The answer to `initialize`; undefined when the handshake has still to take place. */
  readonly initializeResult: unknown;
  readonly onToolsChanged: () => void;
  readonly onOffersChanged: () => void;
  /** The handshake was `initialize`: the server may send requests of its own. */
  legacy: boolean;
  /** Messages that were neither for the host nor an answer to anything that waits. */
  unusable: number;
  readonly requests: LegacyRequests;
  readonly notified: ServerRequests["notified"];
  /** Gives a message to the SDK's Client. */
  readonly deliver: (message: object, extra?: MessageExtraInfo) => void;
}
