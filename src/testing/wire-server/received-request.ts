import { isObject } from "../../util/own.ts";
import type { WireObject } from "./api.ts";

/** A request as it came, without its key. */
export interface ReceivedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. The values of headers that hold a key are replaced by `present`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly byteLength: number;
  /** The parsed text; undefined when it is no JSON. */
  readonly parsed: unknown;
  /** The same when it is an object, else an empty one. */
  readonly body: WireObject;
}

/** What is read of Node's `IncomingMessage`: a program without Node's types can use the simulators. */
interface IncomingRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Headers that hold a key. */
const keyHeaders: ReadonlySet<string> = new Set([
  "x-api-key",
  "authorization",
  "x-goog-api-key",
  "api-key",
  "cookie",
  "proxy-authorization",
]);

/** Reads a request to its end. */
export async function receiveRequest(incoming: IncomingRequest): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://localhost");
  // Some clients send the key in the address.
  url.searchParams.delete("key");
  const parsed = parse(text);
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    headers: withoutKeys(incoming),
    text,
    byteLength: bytes.length,
    parsed,
    body: isObject(parsed) ? parsed : {},
  };
}

function withoutKeys({ headers }: IncomingRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      keyHeaders.has(name) && holdsKey(name, value) ? "present" : String(value),
    ]),
  );
}

function holdsKey(name: string, value: string | string[] | undefined): boolean {
  return name === "authorization" ? /^\S+ \S/.test(String(value)) : Boolean(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const surrogateEscapes =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** Whether a JSON text has an escape of half a surrogate pair, which strict parsers refuse. */
export function hasLoneSurrogate(text: string): boolean {
  if (!/\\u[dD]/.test(text)) return false;
  return [...text.matchAll(surrogateEscapes)].some(([found]) => found.length === 6);
}
