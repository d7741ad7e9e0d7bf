import type { ServerResponse } from "node:http";
import type { JsonAnswer, RefusingFault, SimulatedApi, SimulatedFault, TimedTurn } from "./api.ts";

/** Answers with one JSON object, and gives its status. */
export function sendJson(response: ServerResponse, { status, body, headers }: JsonAnswer): number {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
  return status;
}

/** Answers a request with a fault that is no stream. Returns the status, 0 when nothing was answered. */
export function sendFault<Turn extends TimedTurn>(
  response: ServerResponse,
  fault: SimulatedFault<Turn>,
  api: SimulatedApi<Turn>,
): number {
  switch (fault.type) {
    case "html":
      response.writeHead(fault.status, { "content-type": "text/html" });
      response.end(
        `<html>\r\n<head><title>${fault.status} Request refused</title></head>\r\n<body>proxy</body></html>`,
      );
      return fault.status;
    case "no_answer":
    case "cut":
    case "stream_error":
      response.destroy();
      return 0;
    default:
      return sendJson(response, api.refuse(fault satisfies RefusingFault));
  }
}

/** How a stream is written. */
export interface StreamSettings {
  readonly headers: Readonly<Record<string, string>>;
  /** Length in bytes of the writes, across events and characters; 0 for one write of everything. */
  readonly fragmentBytes: number;
  /** Whether the connection is torn down behind the last frame. */
  readonly cut: boolean;
}

/** Streams frames of server-sent events. */
export async function sendFrames(
  response: ServerResponse,
  frames: readonly string[],
  { headers, fragmentBytes, cut }: StreamSettings,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...headers,
  });
  const bytes = Buffer.from(frames.join(""));
  const step = fragmentBytes > 0 ? fragmentBytes : Math.max(bytes.length, 1);
  let flushed = Promise.resolve();
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    flushed = new Promise((resolve) => response.write(bytes.subarray(at, at + step), () => resolve()));
    // A turn of the event loop between writes, so that they reach the reader as separate chunks.
    if (fragmentBytes > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (!cut) {
    response.end();
    return;
  }
  // What was sent before the cut arrives: without it the connection would seem to have been closed all along.
  await flushed;
  response.destroy();
}
