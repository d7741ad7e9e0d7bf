/**
 * Stable codes of everything a caller can act on. Additive: a code never changes its meaning.
 * Codes that start with `model_` are about the model's API, `server_` about one MCP server, `call_` about one call.
 */
export type HostErrorCode =
  | "config_invalid"
  | "input_invalid"
  | "aborted"
  | "closed"
  | "internal"
  | "model_unknown"
  | "model_key_missing"
  | "model_auth"
  | "model_rejected"
  | "model_rate_limited"
  | "model_spend_limit"
  | "model_overloaded"
  | "model_unreachable"
  | "model_bad_response"
  | "model_empty_response"
  | "server_start_failed"
  | "server_start_timeout"
  | "server_exited"
  | "server_unreachable"
  | "server_protocol"
  | "server_list_failed"
  | "server_unknown"
  /** A project's file names the server, and the person did not agree yet to start it. */
  | "server_pending"
  /** The server wants the person to log in, or refuses what it was given. */
  | "server_unauthorized"
  | "call_timeout"
  | "call_aborted"
  | "call_connection_lost"
  | "call_not_sent"
  | "call_oversize"
  | "call_protocol_error"
  /** An HTTP server answered the call with a status that is no success; `data.status`, and `data.retryAfterMs` where it says. */
  | "call_http_error"
  | "call_unstamped"
  | "call_unknown_tool"
  /** A rule denies what a person asked for. */
  | "call_denied"
  | "call_invalid"
  | "conversation_unknown"
  | "conversation_in_use"
  | "audit_failed"
  | "audit_broken"
  | "store_failed";

/** An error as plain JSON, for events and records. Never holds a secret. */
export interface ErrorSummary {
  readonly code: HostErrorCode;
  readonly message: string;
}
