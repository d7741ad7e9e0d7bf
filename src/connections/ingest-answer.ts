import { isObject } from "../util/own.ts";
import { ingestCallResult } from "./ingest-content.ts";
import { readTtl, repairError, repairResult, withModernMembers } from "./ingest-envelope.ts";
import { repairDiscover, repairInitialize } from "./ingest-handshake.ts";
import type { Pending } from "./pending.ts";
import { foreignVersions, modernVersions, unsupportedVersion, type WireError } from "./protocol.ts";
import { readInputRequired } from "./server-requests/input-required.ts";
import { type CallSink, isTracked } from "./sinks.ts";
import { readCreatedTask } from "./tasks/read-task.ts";

/** What the SDK sees of a server's answer; what the host wants of it goes to the request's sink. */
export function ingestAnswer(entry: Pending, { error, result }: Record<string, unknown>): object {
  if (error !== undefined && error !== null) return failedAnswer(entry, repairError(error));
  const foreign = entry.method === "server/discover" && isObject(result) ? result.supportedVersions : null;
  const supported = foreignVersions(foreign);
  if (supported !== null) return failedAnswer(entry, unspeakable(supported));
  return { jsonrpc: "2.0", id: entry.id, result: resultForSdk(entry, result) };
}

/** A discovery without a version that the host speaks, as the error that says so. */
function unspeakable(supported: readonly string[]): WireError {
  const message = "No version that the host speaks is supported.";
  return { code: unsupportedVersion, message, data: { supported, requested: modernVersions[0] } };
}

/** The request has failed with this error, whoever says so. */
export function failedAnswer(entry: Pending, error: WireError): object {
  if (isTracked(entry.sink)) entry.sink.error = error;
  return { jsonrpc: "2.0", id: entry.id, error };
}

/** The methods whose answer may be a question (MCP 2026-07-28, multi-round requests). */
const mayAsk = new Set(["resources/read", "prompts/get"]);

/** The result of a call is its reply, what the server needs before there is one, or a task that goes on. */
export function takeCallResult(sink: CallSink, raw: unknown, modern: boolean): void {
  if (modern && isObject(raw) && raw.resultType === "input_required") sink.asked = readInputRequired(raw);
  else {
    sink.task = readCreatedTask(raw);
    if (sink.task === null) sink.reply = ingestCallResult(raw);
  }
}

function resultForSdk(entry: Pending, raw: unknown): Record<string, unknown> {
  const complete = (result: Record<string, unknown>) => (entry.modern ? withModernMembers(result) : result);
  switch (entry.method) {
    case "initialize":
      return repairInitialize(raw);
    case "server/discover":
      return isObject(raw) && Array.isArray(raw.supportedVersions) ? repairDiscover(raw) : repairResult(raw);
    case "tools/call":
    case "tasks/result":
      if (entry.sink?.kind === "call") takeCallResult(entry.sink, raw, entry.modern);
      if (entry.sink?.kind === "raw") entry.sink.answer = { result: raw };
      return complete({ content: [] });
    case "tools/list": {
      const result = repairResult(raw);
      const page = entry.sink?.kind === "list" ? entry.sink.page(result) : { tools: [] };
      return complete({ ...page, ttlMs: readTtl(result.ttlMs) });
    }
    default:
      if (entry.sink?.kind !== "raw") return complete(repairResult(raw));
      if (entry.modern && mayAsk.has(entry.method) && isObject(raw) && raw.resultType === "input_required")
        entry.sink.asked = readInputRequired(raw);
      else entry.sink.answer = { result: raw };
      return complete({ ...entry.sink.standIn });
  }
}
