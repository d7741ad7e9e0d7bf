import { isObject } from "../util/own.ts";
import { randomHex } from "../util/random-id.ts";
import { internalError, type WireError } from "./protocol.ts";

/** Why the host itself answers in place of a server. */
export type StandInReason = "oversize" | "no-response" | "foreign-answer" | "empty-answer" | "unmet-input";

/** Where an error says that it is the host's own: no server can guess it, so none can speak in the host's place. */
const reasonKey = `host_${randomHex(8)}`;

/** A JSON-RPC error that stands for an answer which does not come or cannot be kept. */
export function standInError(reason: StandInReason, message: string): WireError {
  return { code: internalError, message, data: { [reasonKey]: reason } };
}

/** The same as the text of a whole message. */
export function standInMessage(id: string | number, reason: StandInReason, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: standInError(reason, message) });
}

/** Why the host put this error in the place of an answer; undefined where it is the server's own. */
export function standInReason({ data }: WireError): StandInReason | undefined {
  return isObject(data) ? (data[reasonKey] as StandInReason | undefined) : undefined;
}
