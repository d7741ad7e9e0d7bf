import { createLineEnds } from "./sse-lines.ts";
import { errorMessage } from "./stand-in.ts";

const lineFeed = 0x0a;

/**
 * The response with no message longer than `limit` bytes: a longer one is cut off, and an error for the request stands
 * in its place, so that one call fails and not the connection.
 */
export function limitBody(
  response: Response,
  limit: number,
  requestId: () => string | number | null,
): Response {
  const { body, headers } = response;
  if (body === null) return response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (!isStream && length <= limit && !headers.has("content-encoding")) return response;
  const error = () => {
    const id = requestId();
    return id === null
      ? ""
      : errorMessage(
          id,
          "oversize",
          `The server's answer is over the limit of ${limit} bytes and was dropped.`,
        );
  };
  const limited = isStream ? limitEvents(body, limit, error) : limitDocument(body, limit, error);
  return new Response(limited, {
    status: response.status,
    statusText: response.statusText,
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

/** Server-sent events: the bytes of one line count, as one line carries one message. */
function limitEvents(
  body: ReadableStream<Uint8Array>,
  limit: number,
  error: () => string,
): ReadableStream<Uint8Array> {
  let lineBytes = 0;
  const toLines = createLineEnds();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(raw, controller) {
        const chunk = toLines(raw);
        const last = chunk.lastIndexOf(lineFeed);
        const first = last < 0 ? chunk.length : chunk.indexOf(lineFeed);
        if (lineBytes + first <= limit) {
          lineBytes = last < 0 ? lineBytes + chunk.length : chunk.length - last - 1;
          controller.enqueue(chunk);
          return;
        }
        controller.enqueue(new TextEncoder().encode(`\n\ndata: ${error()}\n\n`));
        controller.terminate();
      },
    }),
  );
}

/** One JSON document: held back until it is known to be short enough, because half of it is of no use. */
function limitDocument(
  body: ReadableStream<Uint8Array>,
  limit: number,
  error: () => string,
): ReadableStream<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= limit) held.push(chunk);
        else {
          controller.enqueue(new TextEncoder().encode(error()));
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
