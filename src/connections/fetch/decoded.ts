import { visibleLine } from "../../util/visible.ts";

const formats = new Map<string, "gzip" | "deflate">([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/**
 * The answer with its body as it is meant, although nobody asked for another encoding: some gateways compress all the
 * same. In the place of a body in an encoding that cannot be read stands a line that says so.
 */
export function decoded(response: Response): Response {
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  // Whoever asks for `body` gets a stream, which costs something.
  if (encoding === "" || encoding === "identity") return response;
  const { body, status, statusText } = response;
  if (body === null) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const format = formats.get(encoding);
  if (format !== undefined) {
    return new Response(body.pipeThrough(new DecompressionStream(format)), { status, statusText, headers });
  }
  void body.cancel().catch(() => {});
  headers.set("content-type", "text/plain");
  const name = visibleLine(encoding.slice(0, 40));
  return new Response(`an answer in the encoding ${name}, which nobody asked for`, {
    status,
    statusText,
    headers,
  });
}
