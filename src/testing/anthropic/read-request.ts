import type { IncomingMessage } from "node:http";
import { isObject } from "../../util/own.ts";
import type { WireObject } from "./rules/request-view.ts";
import { validateMessagesRequest } from "./validate.ts";

const bodyLimit = 32 * 1024 * 1024;

/** Why a request is refused, in the API's form. */
interface Refusal {
  readonly status: number;
  readonly kind: string;
  readonly message: string;
}

/** A request, read and checked. */
export interface ReadRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Empty when the text is no JSON object. */
  readonly body: WireObject;
  readonly refusal: Refusal | null;
}

/** Reads a request and checks its path, its key, its size and its body. */
export async function readRequest(request: IncomingMessage): Promise<ReadRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  const parsed = parse(text);
  const body = isObject(parsed) ? parsed : {};
  const refusal = checkHead(request) ?? checkBody(bytes, text, parsed);
  return { headers: withoutKeys(request), text, body, refusal };
}

function withoutKeys(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      name === "x-api-key" || name === "authorization" ? "present" : String(value),
    ]),
  );
}

function checkHead(request: IncomingMessage): Refusal | null {
  const path = (request.url ?? "").split("?", 1)[0];
  if (request.method !== "POST" || path !== "/v1/messages") {
    return { status: 404, kind: "not_found_error", message: "Not Found" };
  }
  const { authorization = "", "x-api-key": key } = request.headers;
  if (!key && !/^Bearer \S/.test(authorization)) {
    return { status: 401, kind: "authentication_error", message: "x-api-key header is required" };
  }
  if (!request.headers["anthropic-version"]) {
    return invalid("anthropic-version: header is required");
  }
  return null;
}

function checkBody(bytes: Buffer, text: string, parsed: unknown): Refusal | null {
  if (bytes.length > bodyLimit) {
    return {
      status: 413,
      kind: "request_too_large",
      message: "Request exceeds the maximum allowed number of bytes.",
    };
  }
  if (parsed === undefined) return invalid("The request body is not valid JSON");
  if (hasLoneSurrogate(text))
    return invalid("The request body is not valid JSON: no low surrogate in string");
  const refusal = validateMessagesRequest(parsed);
  return refusal === null ? null : { ...invalid(refusal.message), status: refusal.status };
}

function invalid(message: string): Refusal {
  return { status: 400, kind: "invalid_request_error", message };
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

/** An escape of half a surrogate pair: the API's JSON parser refuses it. */
function hasLoneSurrogate(text: string): boolean {
  if (!/\\u[dD]/.test(text)) return false;
  return [...text.matchAll(surrogateEscapes)].some(([found]) => found.length === 6);
}
