import type { MessageExtraInfo, Transport } from "@modelcontextprotocol/client";
import type { PendingRequests } from "./pending.ts";

/** What the two directions of one ingest share. */
export interface IngestState {
  readonly inner: Transport;
  readonly pending: PendingRequests;
  /** The answer to `initialize`; undefined when the handshake has still to take place. */
  readonly initializeResult: unknown;
  readonly onToolsChanged: () => void;
  readonly onOffersChanged: () => void;
  /** Gives a message to the SDK's Client. */
  readonly deliver: (message: object, extra?: MessageExtraInfo) => void;
}
