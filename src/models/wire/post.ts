import type { HostAnswer, HostFetch } from "../../types/fetch.ts";
import { joined } from "./bytes.ts";
import { wordsOfCutError } from "./cut-error.ts";

/** An answer whose status is no success, in the form that `classifyFailure` reads. */
class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: number;
  /** The parsed body, when it is JSON; of one that is too long to be read whole, its words. */
  readonly error: unknown;
  readonly headers: HostAnswer["headers"];

  constructor(status: number, text: string, headers: HostAnswer["headers"]) {
    super(text);
    this.status = status;
    this.headers = headers;
    this.error = parsed(text);
  }
}

/** Most bytes of an error, or of what is no stream of the API, that are read. */
const headLimit = 64 * 1024;

/**
 * Posts a body, sent piece by piece where that is possible, and gives the answer as it comes. The headers on the wire
 * are these alone. A redirect would carry the key to somewhere else: it is not followed.
 * @throws StatusError for an answer that is no success, TypeError when there is none.
 */
export async function postChunks(
  fetch: HostFetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<HostAnswer> {
  const sent = {
    accept: "text/event-stream",
    "content-type": "application/json",
    "user-agent": "drawbridge-mcp",
    ...headers,
  };
  const response = await (fetch.post?.(url, { headers: sent, chunks, signal }) ??
    throughStandard(fetch, url, sent, chunks, signal));
  if (response.status >= 200 && response.status < 300) return response;
  throw new StatusError(response.status, await refusalOf(response, signal), response.headers);
}

function throughStandard(
  fetch: HostFetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Response> {
  return fetch(url, { method: "POST", headers, body: joined(chunks), signal, redirect: "manual" });
}

/** The beginning of a body as text, at most about `limit` bytes; the rest is not read. */
export async function headOf(response: HostAnswer, limit: number = headLimit): Promise<string> {
  const chunks: Uint8Array[] = [];
  await readHead(response, limit, chunks);
  return textOf(chunks);
}

/** The same of a refusal: where its body breaks off, the status counts, and what came of the words. */
async function refusalOf(response: HostAnswer, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  await readHead(response, headLimit, chunks).catch(() => signal.throwIfAborted());
  return textOf(chunks);
}

async function readHead({ body }: HostAnswer, limit: number, chunks: Uint8Array[]): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  let bytes = 0;
  while (bytes < limit) {
    const { done, value } = await reader.read();
    if (done === true || value === undefined) break;
    chunks.push(value);
    bytes += value.length;
  }
  await reader.cancel().catch(() => {});
}

function textOf(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(joined(chunks));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return wordsOfCutError(text);
  }
}
