import type { Clock } from "../types/ports.ts";
import { eventStream, mediaType } from "./media-type.ts";
import type { RequestId } from "./pending.ts";
import { createLineEnds } from "./sse-lines.ts";
import { standInMessage } from "./stand-in.ts";

const lineFeed = 0x0a;

/** Behind the end of a line. */
const emptyLine = "\n\n";

/** Most bytes of an error that are read, and the longest time that they are waited for. */
const errorBytes = 64 * 1024;
const errorMs = 1_000;

/**
 * The response with no message longer than `limit` bytes: a longer one is cut off, and an error for the request stands
 * in its place, so that one call fails and not the connection. The lines of an event stream end with line feeds alone
 * behind it, whatever the server ends them with: `carryEvents` relies on that.
 */
export function limitBody(response: Response, limit: number, id: RequestId | null): Response {
  const { body, headers } = response;
  if (body === null) return response;
  const isStream = mediaType(response) === eventStream;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (!isStream && length <= limit && !headers.has("content-encoding")) return response;
  const text = `The server's answer is over the limit of ${limit} bytes and was dropped.`;
  const error = id === null ? "" : standInMessage(id, "oversize", text);
  const limited = isStream ? limitEvents(body, limit, error) : limitDocument(body, limit, error);
  return new Response(limited, {
    status: response.status,
    statusText: response.statusText,
    headers: plain(headers),
  });
}

/**
 * The response to a request that failed, with the beginning of its body: the status says what matters, whatever comes
 * behind it, and whether anything does.
 */
export async function headOfBody(response: Response, clock: Clock): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const held: Uint8Array[] = [];
  let bytes = 0;
  // Also ends the read that waits.
  const stop = clock.after(errorMs, () => void reader.cancel().catch(() => {}));
  try {
    while (bytes < errorBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      held.push(value);
      bytes += value.length;
    }
  } catch {
    // What came before it broke off is all there is.
  }
  stop();
  void reader.cancel().catch(() => {});
  return new Response(Buffer.concat(held).subarray(0, errorBytes), {
    status,
    statusText,
    headers: plain(headers),
  });
}

/** The headers without what described the bytes on the wire. */
function plain(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-length");
  kept.delete("content-encoding");
  return kept;
}

/** Server-sent events: the bytes of one event count, which an empty line ends; all of its lines are one message. */
function limitEvents(
  body: ReadableStream<Uint8Array>,
  limit: number,
  error: string,
): ReadableStream<Uint8Array> {
  let eventBytes = 0;
  let isLineStart = false;
  const toLines = createLineEnds();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(raw, controller) {
        const chunk = toLines(raw);
        const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
        const endsAtOnce = isLineStart && chunk[0] === lineFeed;
        const first = endsAtOnce ? 0 : text.indexOf(emptyLine);
        if (eventBytes + (first < 0 ? chunk.length : first) <= limit) {
          const last = text.lastIndexOf(emptyLine);
          if (last >= 0) eventBytes = chunk.length - last - emptyLine.length;
          else eventBytes = endsAtOnce ? chunk.length - 1 : eventBytes + chunk.length;
          if (chunk.length > 0) isLineStart = chunk[chunk.length - 1] === lineFeed;
          controller.enqueue(chunk);
          return;
        }
        controller.enqueue(new TextEncoder().encode(`\n\ndata: ${error}\n\n`));
        controller.terminate();
      },
    }),
  );
}

/** One JSON document: held back until it is known to be short enough, because half of it is of no use. */
function limitDocument(
  body: ReadableStream<Uint8Array>,
  limit: number,
  error: string,
): ReadableStream<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= limit) held.push(chunk);
        else {
          controller.enqueue(new TextEncoder().encode(error));
          held.length = 0;
          controller.terminate();
        }
      },
      flush(controller) {
        for (const chunk of held) controller.enqueue(chunk);
      },
    }),
  );
}
