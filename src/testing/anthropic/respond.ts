import type { ServerResponse } from "node:http";
import type { StreamEvent } from "./answer-events.ts";
import type { SimulatedFault } from "./turns.ts";

/** Answers with an error in the API's form. */
export function refuse(
  response: ServerResponse,
  status: number,
  kind: string,
  message: string,
  extra: { readonly headers?: Readonly<Record<string, string>>; readonly details?: object } = {},
): void {
  const details = extra.details === undefined ? {} : { details: extra.details };
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": "req_refused",
    ...extra.headers,
  });
  response.end(
    JSON.stringify({ type: "error", error: { type: kind, message, ...details }, request_id: "req_refused" }),
  );
}

/**
 * Streams events as the API does. A fault ends the stream early.
 * @param fragmentBytes length of the writes; 0 for one write of everything.
 */
export async function writeEvents(
  response: ServerResponse,
  events: readonly StreamEvent[],
  fragmentBytes: number,
  fault: SimulatedFault | null,
): Promise<void> {
  const sent = fault !== null && "afterEvents" in fault ? events.slice(0, fault.afterEvents) : events;
  const frames = sent.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (fault?.type === "stream_error") {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    frames.push(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  }
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": "req_stream",
  });
  const bytes = Buffer.from(frames.join(""));
  const step = fragmentBytes > 0 ? fragmentBytes : Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    // A turn of the event loop between writes, so that they reach the reader as separate chunks.
    if (fragmentBytes > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (fault?.type === "cut") response.destroy();
  else response.end();
}
