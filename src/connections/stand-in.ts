import { internalError } from "./protocol.ts";

/** Why the host itself answers in place of a server. */
export type StandInReason = "oversize" | "no-response" | "foreign-answer" | "empty-answer";

/** A JSON-RPC error, as text, that stands for an answer which does not come or cannot be kept. */
export function errorMessage(id: string | number, host: StandInReason, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: internalError, message, data: { host } } });
}
