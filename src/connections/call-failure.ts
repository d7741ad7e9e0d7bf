import { HostError } from "../errors.ts";
import type { HostErrorCode } from "../types/error.ts";
import type { Executed } from "../types/outcome.ts";
import { oneLine } from "../util/one-line.ts";
import { bodyLine, exitOf, httpStatus, lastWords, networkReason, type ProcessFacts } from "./failure.ts";
import { invalidParams, methodNotFound, urlElicitationRequired, type WireError } from "./protocol.ts";
import { inOwnWords } from "./sdk-words.ts";
import type { RequestSink } from "./sinks.ts";
import { standInReason } from "./stand-in.ts";

export function callFailure(
  code: HostErrorCode,
  executed: Executed,
  message: string,
  cause?: unknown,
): HostError {
  return new HostError(code, message, { cause, data: { executed } });
}

/** `unusable`: messages of the server that were of no use while the call was waited for. */
export function callAborted(sent: boolean, cause?: unknown, unusable = 0): HostError {
  const text = sent ? "The call was aborted; it may have run." : "The call was aborted before it was sent.";
  return new HostError("call_aborted", text, { cause, data: { executed: sent ? "maybe" : "no", unusable } });
}

export function callNotSent(server: string, why: string, cause?: unknown): HostError {
  return callFailure("call_not_sent", "no", `The call did not reach server "${server}": ${why}`, cause);
}

/** An error as it may be shown: redacted before it is cut, because half a secret would not be recognised. */
export function shownFailure(error: HostError, cause: unknown, redact: (text: string) => string): HostError {
  return new HostError(error.code, oneLine(redact(error.message), 2_000), { cause, data: error.data });
}

/** What is known of a connection when a call over it has no reply. */
export interface CallEnd {
  readonly facts: () => ProcessFacts | null;
  /** Messages of the server that were of no use since the call began. */
  readonly unusable: number;
}

/** The error, as it may be shown, of a request that ended without a result; `failure` holds what was thrown. */
export function withoutResult(
  sink: RequestSink,
  failure: { readonly thrown: unknown } | null,
  aborted: boolean,
  { server, end, redact }: { server: string; end: CallEnd; redact: (text: string) => string },
): HostError {
  if (failure === null && !aborted && sink.error === null)
    return callFailure("call_protocol_error", "maybe", `Server "${server}" sent no result.`);
  const thrown = failure?.thrown;
  return shownFailure(whyNoReply(sink, thrown, aborted, server, end), thrown, redact);
}

/** Why a call has no reply, as the error of the call. */
export function whyNoReply(
  sink: RequestSink,
  thrown: unknown,
  aborted: boolean,
  server: string,
  { facts, unusable }: CallEnd = { facts: () => null, unusable: 0 },
): HostError {
  if (aborted) return callAborted(sink.sent, thrown, unusable);
  if (sink.streamLost) return lost(server, "its answer broke off", thrown);
  if (sink.error !== null) return explainAnswer(sink.error, server, thrown);
  if (!sink.sent) return callNotSent(server, "it is not connected.", thrown);
  if (sink.sendError !== undefined) return explainSend(sink.sendError, server, facts());
  return lost(server, "the connection ended before its answer", thrown, facts());
}

const mayHaveRun = "The call may have run.";

/** What is told of the process stands at the end, as whatever is too long is cut there. */
function lost(server: string, what: string, cause: unknown, facts: ProcessFacts | null = null): HostError {
  const exit = facts?.exit ?? null;
  const how = exit === null ? what : `its process ended before the answer${exitOf(facts)}`;
  const words = facts === null ? "" : lastWords(facts);
  const text = `The connection to server "${server}" was lost: ${how}. ${mayHaveRun}${words}`;
  const ended = exit === null ? {} : { exitCode: exit.code, exitSignal: exit.signal };
  return new HostError("call_connection_lost", text, { cause, data: { executed: "maybe", ...ended } });
}

/** A server that does not know the tool, refuses the arguments, or wants something opened first has not begun. */
const notBegun = new Set([methodNotFound, invalidParams, urlElicitationRequired]);

/** A JSON-RPC error: the server's own, or one that the host put in its place. */
function explainAnswer(error: WireError, server: string, cause: unknown): HostError {
  const reason = standInReason(error);
  if (reason === "foreign-answer" || reason === "empty-answer" || reason === "no-response")
    return callFailure(
      "call_protocol_error",
      "maybe",
      `Server "${server}" did not answer: ${error.message}. ${mayHaveRun}`,
      cause,
    );
  if (reason === "unmet-input") {
    const text = `Server "${server}" does not go on with the call: ${error.message} ${mayHaveRun}`;
    return callFailure("call_protocol_error", "maybe", text, cause);
  }
  if (reason === "oversize") return callFailure("call_oversize", "yes", error.message, cause);
  const executed = notBegun.has(error.code) ? "no" : "maybe";
  const text = `Server "${server}" answered with error ${error.code}: ${error.message}`;
  return new HostError("call_protocol_error", text, { cause, data: { executed, serverCode: error.code } });
}

/** The transport could not send, or, over HTTP, got an answer that is no MCP message. */
function explainSend(thrown: unknown, server: string, facts: ProcessFacts | null): HostError {
  if (thrown instanceof HostError && thrown.code === "call_not_sent") {
    return callNotSent(server, thrown.message, thrown);
  }
  // The server refused it before it did anything.
  if (thrown instanceof HostError && thrown.code === "server_unauthorized") {
    return callNotSent(server, `${thrown.message}.`, thrown);
  }
  const status = httpStatus(thrown);
  if (status !== null) {
    // A refusal (4xx) comes before the work, and so does "busy".
    const executed = status < 500 || status === 503 ? "no" : "maybe";
    const retryAfterMs = thrown instanceof HostError ? thrown.data.retryAfterMs : undefined;
    const wait =
      typeof retryAfterMs === "number" ? ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s` : "";
    const unsure = executed === "maybe" ? ` ${mayHaveRun}` : "";
    // At the end, as whatever is too long is cut there.
    const words = bodyLine(thrown);
    const said = words.startsWith(": ") ? ` It says${words}` : "";
    const text = `Server "${server}" answered with HTTP ${status}${wait}.${unsure}${said}`;
    return new HostError("call_http_error", text, {
      cause: thrown,
      data: { executed, status, ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}) },
    });
  }
  const reason = networkReason(thrown);
  if (reason === "ECONNREFUSED" || reason === "ENOTFOUND" || reason === "EAI_AGAIN") {
    return callNotSent(server, `it cannot be reached (${reason}).`, thrown);
  }
  if (reason !== null || thrown instanceof HostError)
    return lost(server, "the call could not be followed", thrown, facts);
  return callFailure(
    "call_protocol_error",
    "maybe",
    `Server "${server}" did not answer with MCP: ${inOwnWords(thrown).replace(/\.$/, "")}. ${mayHaveRun}`,
    thrown,
  );
}
