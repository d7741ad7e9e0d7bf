import { setMaxListeners } from "node:events";
import { HostError } from "../errors.ts";
import type { HostErrorCode } from "../types/error.ts";
import type { CallReply, Executed } from "../types/outcome.ts";
import type { ServerCall } from "../types/ports.ts";
import { isObject } from "../util/own.ts";
import { type Connection, noTimeout } from "./connection.ts";
import { httpStatus, networkReason, oneLine } from "./failure.ts";
import { invalidParams, methodNotFound, type WireError } from "./protocol.ts";
import { type CallSink, sinkKey } from "./sinks.ts";

/** What servers are told of a cancelled call: the person's own reason is none of their business. */
export const cancelReason = "cancelled by the host";

/**
 * Sends one `tools/call` and waits for its end, however long it takes. When the call's signal fires, or somebody aborts
 * the controller that stands in `inFlight` meanwhile, the server is told and the call rejects with `call_aborted` at once.
 */
export async function callTool(
  connection: Connection,
  call: ServerCall,
  inFlight: Set<AbortController>,
  redact: (text: string) => string,
): Promise<CallReply> {
  const { signal } = call;
  if (signal.aborted) throw callAborted(false);
  const controller = new AbortController();
  const onAbort = () => controller.abort(cancelReason);
  // All calls of a run share its signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", onAbort, { once: true });
  inFlight.add(controller);
  try {
    return await exchange(connection, call, controller.signal, redact);
  } finally {
    inFlight.delete(controller);
    signal.removeEventListener("abort", onAbort);
  }
}

async function exchange(
  connection: Connection,
  call: ServerCall,
  aborting: AbortSignal,
  redact: (text: string) => string,
): Promise<CallReply> {
  const { server, tool } = call.route;
  const sink: CallSink = {
    kind: "call",
    sent: false,
    sendError: undefined,
    streamLost: false,
    reply: null,
    error: null,
    onProgress: call.onProgress,
  };
  const params = {
    name: tool,
    arguments: call.arguments as Record<string, unknown>,
    _meta: { [sinkKey]: sink },
  };
  const options = { signal: aborting, timeout: noTimeout };
  try {
    // Only where headers mirror arguments does the SDK have to look the tool up.
    if (connection.mirrorsArguments) await connection.client.callTool(params, options);
    else await connection.client.request({ method: "tools/call", params }, options);
  } catch (thrown) {
    // Once the answer is here, nothing that the SDK makes of its stand-in can undo it.
    if (sink.reply === null) {
      const error = explain(sink, thrown, aborting.aborted, server);
      // Redacted before it is cut: half a secret would not be recognised.
      throw new HostError(error.code, oneLine(redact(error.message), 2_000), {
        cause: thrown,
        data: error.data,
      });
    }
  }
  if (sink.reply === null)
    throw failure("call_protocol_error", "maybe", `Server "${server}" sent no result.`);
  return sink.reply;
}

function failure(code: HostErrorCode, executed: Executed, message: string, cause?: unknown): HostError {
  return new HostError(code, message, { cause, data: { executed } });
}

export function callAborted(sent: boolean, cause?: unknown): HostError {
  const text = sent ? "The call was aborted; it may have run." : "The call was aborted before it was sent.";
  return failure("call_aborted", sent ? "maybe" : "no", text, cause);
}

export function callNotSent(server: string, why: string, cause?: unknown): HostError {
  return failure("call_not_sent", "no", `The call did not reach server "${server}": ${why}`, cause);
}

function explain(sink: CallSink, thrown: unknown, aborted: boolean, server: string): HostError {
  if (aborted) return callAborted(sink.sent, thrown);
  if (sink.streamLost) return lost(server, "its answer broke off", thrown);
  if (sink.error !== null) return explainAnswer(sink.error, server, thrown);
  if (!sink.sent) return callNotSent(server, "it is not connected.", thrown);
  if (sink.sendError !== undefined) return explainSend(sink.sendError, server);
  return lost(server, "the connection ended before its answer", thrown);
}

function lost(server: string, what: string, cause: unknown): HostError {
  const text = `The connection to server "${server}" was lost: ${what}. The call may have run.`;
  return failure("call_connection_lost", "maybe", text, cause);
}

/** A JSON-RPC error: the server's own, or one that the host put in its place. */
function explainAnswer(error: WireError, server: string, cause: unknown): HostError {
  const standIn = isObject(error.data) ? error.data.host : undefined;
  if (standIn === "oversize") return failure("call_oversize", "yes", error.message, cause);
  // A server that does not know the tool or refuses the arguments has not begun.
  const executed = error.code === methodNotFound || error.code === invalidParams ? "no" : "maybe";
  const text = `Server "${server}" answered with error ${error.code}: ${error.message}`;
  return new HostError("call_protocol_error", text, { cause, data: { executed, serverCode: error.code } });
}

/** The transport could not send, or, over HTTP, got an answer that is no MCP message. */
function explainSend(thrown: unknown, server: string): HostError {
  if (thrown instanceof HostError && thrown.code === "call_not_sent") {
    return callNotSent(server, thrown.message, thrown);
  }
  const status = httpStatus(thrown);
  if (status !== null) {
    // A refusal (4xx) comes before the work, and so does "busy".
    const executed = status < 500 || status === 503 ? "no" : "maybe";
    return failure(
      "call_protocol_error",
      executed,
      `Server "${server}" answered with HTTP ${status}.`,
      thrown,
    );
  }
  const reason = networkReason(thrown);
  if (reason === "ECONNREFUSED" || reason === "ENOTFOUND" || reason === "EAI_AGAIN") {
    return callNotSent(server, `it cannot be reached (${reason}).`, thrown);
  }
  if (reason !== null || thrown instanceof HostError)
    return lost(server, "the call could not be followed", thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return failure(
    "call_protocol_error",
    "maybe",
    `Server "${server}" did not answer with MCP: ${message}`,
    thrown,
  );
}
