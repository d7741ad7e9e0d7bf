import type { MessageExtraInfo } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { anonymousKey } from "./carried-answers.ts";
import { ingestAnswer } from "./ingest-answer.ts";
import type { IngestState } from "./ingest-state.ts";
import type { Pending, PendingRequests } from "./pending.ts";
import { isTracked } from "./sinks.ts";
import { standInError } from "./stand-in.ts";

/** The notifications that the SDK acts on. It has no handler for any other, and a server may send many. */
const heard = new Set(["notifications/cancelled", "notifications/subscriptions/acknowledged"]);

const offerLists = new Set(["notifications/resources/list_changed", "notifications/prompts/list_changed"]);

/** Takes whatever a server sends: to its sink, repaired to the SDK's Client, or nowhere. Never throws. */
export function receiveFromServer(state: IngestState, message: unknown, extra?: MessageExtraInfo): void {
  if (Array.isArray(message)) for (const one of message) receiveFromServer(state, one, extra);
  else if (!isObject(message)) state.unusable += 1;
  else if (typeof message.method === "string") receiveCall(state, message, message.method, extra);
  else if ("result" in message || "error" in message) receiveAnswer(state, message, extra);
  else if (message.id === undefined || message.id === null) state.unusable += 1;
  else receiveAnswer(state, asFailure(message.id), extra);
}

/** A request or notification of the server. */
function receiveCall(
  state: IngestState,
  message: Record<string, unknown>,
  method: string,
  extra?: MessageExtraInfo,
): void {
  if (method === "notifications/tools/list_changed") state.onToolsChanged();
  else if (offerLists.has(method)) state.onOffersChanged();
  else if (method === "notifications/progress") receiveProgress(state.pending, message.params);
  else if ("id" in message ? isAnswered(state, message, method) : isHeard(state, message, method)) return;
  else if ("id" in message || heard.has(method)) state.deliver({ ...message, jsonrpc: "2.0" }, extra);
}

/** A request that the host answers itself. A modern server has none, and gets no answer to what it sends all the same. */
function isAnswered(state: IngestState, message: Record<string, unknown>, method: string): boolean {
  return state.legacy && state.requests.received(message.id, method, message.params);
}

function isHeard(state: IngestState, { params }: Record<string, unknown>, method: string): boolean {
  if (method === "notifications/cancelled") state.requests.cancelled(params);
  return state.notified(method, params);
}

function receiveProgress(pending: PendingRequests, params: unknown): void {
  if (!isObject(params)) return;
  const entry = pending.find(params.progressToken);
  const { progress, total, message } = params;
  if (
    entry === undefined ||
    !isTracked(entry.sink) ||
    typeof progress !== "number" ||
    !Number.isFinite(progress)
  )
    return;
  entry.sink.onProgress({
    progress,
    ...(typeof total === "number" && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === "string" ? { text: message } : {}),
  });
}

/** An answer that says nothing is the end of its request all the same. */
function asFailure(id: unknown): Record<string, unknown> {
  const message = "its answer has neither a result nor an error";
  return { id, error: standInError("empty-answer", message) };
}

function receiveAnswer(state: IngestState, message: Record<string, unknown>, extra?: MessageExtraInfo): void {
  if (typeof message.id === "string" && message.id.startsWith("listen:")) {
    state.deliver(message, extra);
    return;
  }
  const entry = state.pending.take(message.id);
  if (entry === undefined) state.unusable += state.pending.isLate(message.id) ? 0 : 1;
  else {
    if (entry.answered === null) state.deliver(ingestAnswer(entry, message), extra);
    else entry.answered(message);
    if (message.id === null || message.id === undefined || anonymousKey in message) noteNoId(entry);
  }
}

/** Whose answer it was is a conclusion: who looks at the call later should know. */
function noteNoId({ sink }: Pending): void {
  if (sink?.kind !== "call" || sink.reply === null) return;
  const repair = "The answer had no id and was taken as that of the one request that waited for it.";
  sink.reply = { ...sink.reply, repairs: [...sink.reply.repairs, repair] };
}
