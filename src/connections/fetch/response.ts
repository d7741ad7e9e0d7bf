import type { IncomingMessage } from "node:http";
import type { OutgoingRequest } from "./request.ts";

/** Statuses whose answers have no body (Fetch standard: null body status). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Bytes that a body holds before the socket is paused. */
const highWaterMark = 256 * 1024;

/**
 * A `Response` whose body comes straight from the socket: as a web stream when somebody asks for `body`, without one
 * when the whole is read at once.
 */
export function toResponse(
  incoming: IncomingMessage,
  request: OutgoingRequest,
  redirected: boolean,
): Response {
  const status = incoming.statusCode ?? 0;
  const { statusMessage: statusText = "" } = incoming;
  const headers = foldHeaders(incoming.rawHeaders);
  const response = new Response(null, { status, statusText, headers });
  const empty =
    bodiless.has(status) || request.method === "HEAD" || incoming.headers["content-length"] === "0";
  // A body that is not there is read at once, so that the connection is free again.
  if (empty) incoming.resume();
  const getters = { url: () => request.url.href, redirected: () => redirected };
  const members = empty ? {} : bodyMembers(incoming, request.signal, response);
  for (const [name, get] of Object.entries({ ...getters, ...members })) {
    const accessor = name === "url" || name === "redirected" || name === "body" || name === "bodyUsed";
    const member = accessor ? { get: get as () => unknown } : { value: get };
    Object.defineProperty(response, name, { ...member, configurable: true });
  }
  return response;
}

/** The members of a response that read its body. */
function bodyMembers(
  incoming: IncomingMessage,
  signal: AbortSignal | null,
  response: Response,
): Record<string, unknown> {
  let stream: ReadableStream<Uint8Array> | null = null;
  let used = false;
  const body = (): ReadableStream<Uint8Array> => {
    if (used) throw new TypeError("Body is unusable: Body has already been read");
    stream ??= webStream(incoming, signal);
    return stream;
  };
  const bytes = async (): Promise<Uint8Array> => {
    if (stream !== null) return new Uint8Array(await new Response(stream).arrayBuffer());
    if (used) throw new TypeError("Body is unusable: Body has already been read");
    used = true;
    return readAll(incoming, signal);
  };
  const text = async (): Promise<string> => new TextDecoder().decode(await bytes());
  const whole = async (): Promise<Response> =>
    new Response(new Uint8Array(await bytes()), { headers: response.headers });
  return {
    body: () => (used ? null : body()),
    bodyUsed: () => used || stream?.locked === true,
    text,
    json: async () => JSON.parse(await text()) as unknown,
    arrayBuffer: async () => new Uint8Array(await bytes()).buffer,
    blob: async () => (await whole()).blob(),
    formData: async () => (await whole()).formData(),
    clone() {
      const [own, other] = body().tee();
      stream = own;
      return new Response(other, { status: response.status, headers: response.headers });
    },
  };
}

/** Headers of one name are joined, as the Fetch standard has it. */
function foldHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  return headers;
}

/** Tells when an answer is over: whole, or with the reason why not. */
function whenOver(
  incoming: IncomingMessage,
  signal: AbortSignal | null,
  over: (problem: unknown) => void,
): void {
  let told = false;
  const tell = (problem: unknown): void => {
    if (told) return;
    told = true;
    over(problem);
  };
  const broken = (cause: unknown): unknown =>
    signal?.aborted ? signal.reason : new TypeError("terminated", { cause });
  incoming.on("end", () => tell(null));
  incoming.on("error", (error) => tell(broken(error)));
  incoming.on("close", () => tell(incoming.complete ? null : broken(new Error("the connection was closed"))));
  // One that broke before anybody read it tells nothing any more.
  if (incoming.destroyed) tell(broken(incoming.errored ?? new Error("the connection was closed")));
}

function readAll(incoming: IncomingMessage, signal: AbortSignal | null): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    whenOver(incoming, signal, (problem) => {
      if (problem === null) resolve(Buffer.concat(chunks));
      else reject(problem);
    });
  });
}

function webStream(incoming: IncomingMessage, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  let cancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on("data", (chunk: Buffer) => {
          if (cancelled) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        whenOver(incoming, signal, (problem) => {
          if (cancelled) return;
          if (problem === null) controller.close();
          else controller.error(problem);
        });
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        cancelled = true;
        // A whole answer leaves the connection free for the next request; any other ends it.
        if (!incoming.complete) incoming.destroy();
      },
    },
    { highWaterMark, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
