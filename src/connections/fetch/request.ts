import type { HostFetchSettings, PostSettings } from "../../types/fetch.ts";

/** A request, ready for the socket. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one after the other. */
  readonly body: readonly Uint8Array[];
  readonly signal: AbortSignal | null;
  readonly redirect: "follow" | "error" | "manual";
  /** Whether it may be sent twice. */
  readonly replayable: boolean;
  /** As in `HostFetchSettings`; null: everything may be connected to. */
  readonly mayConnectTo: ((address: string) => boolean) | null;
}

/** Methods without side effects (RFC 9110, section 9.2.1). */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Reads what `fetch` is called with. Bodies of every standard kind are taken; streams are read to their end first. */
export async function toOutgoingRequest(
  input: string | URL | Request,
  init: RequestInit & HostFetchSettings,
): Promise<OutgoingRequest> {
  if (typeof input === "object" && "arrayBuffer" in input) return fromRequest(input, init);
  const url = fetchable(typeof input === "string" ? new URL(input) : input);
  const method = (init.method ?? "GET").toUpperCase();
  const { body, type } = await readBody(init.body as unknown);
  const headers: Record<string, string> = {
    accept: "*/*",
    "user-agent": "drawbridge-mcp",
    ...plainHeaders(init.headers),
  };
  // An answer that was compressed would not be understood: nobody may ask for one.
  delete headers["accept-encoding"];
  if (type !== null) headers["content-type"] ??= type;
  if (body.length > 0 || method === "POST" || method === "PUT" || method === "PATCH") {
    headers["content-length"] = String(body.reduce((length, chunk) => length + chunk.byteLength, 0));
  }
  const redirect = init.redirect ?? "manual";
  return {
    url,
    method,
    headers,
    body,
    signal: init.signal ?? null,
    redirect: redirect === "follow" && !safeMethods.has(method) ? "manual" : redirect,
    replayable: init.replayable === true || safeMethods.has(method),
    mayConnectTo: init.mayConnectTo ?? null,
  };
}

/** A request to a model: asking one twice has no side effect, and a redirect would carry the key to somewhere else. */
export function toPost(url: string, { headers, chunks, signal }: PostSettings): OutgoingRequest {
  const trimmed = Object.entries(headers).map(([name, value]) => [name, value.trim()] as const);
  const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  return {
    url: fetchable(new URL(url)),
    method: "POST",
    headers: { ...Object.fromEntries(trimmed), "content-length": String(length) },
    body: chunks,
    signal,
    redirect: "manual",
    replayable: true,
    mayConnectTo: null,
  };
}

function fetchable(url: URL): URL {
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new TypeError(`fetch failed: ${url.protocol} is not a protocol that can be fetched`);
}

async function fromRequest(request: Request, init: RequestInit): Promise<OutgoingRequest> {
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  return toOutgoingRequest(request.url, {
    method: request.method,
    headers: request.headers,
    body,
    signal: request.signal,
    redirect: request.redirect,
    ...init,
  });
}

function plainHeaders(given: RequestInit["headers"]): Record<string, string> {
  if (given === undefined) return {};
  const headers = given instanceof Headers ? given : new Headers(given);
  return Object.fromEntries(headers.entries());
}

interface ReadBody {
  readonly body: readonly Uint8Array[];
  /** The content type that the kind of body stands for. */
  readonly type: string | null;
}

async function readBody(given: unknown): Promise<ReadBody> {
  if (given === undefined || given === null) return { body: [], type: null };
  if (typeof given === "string") return { body: [Buffer.from(given)], type: "text/plain;charset=UTF-8" };
  if (given instanceof Uint8Array) return { body: [given], type: null };
  const standard = new Response(given as ConstructorParameters<typeof Response>[0]);
  return { body: [new Uint8Array(await standard.arrayBuffer())], type: standard.headers.get("content-type") };
}
