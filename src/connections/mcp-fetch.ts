import { HostError } from "../errors.ts";
import type { HostFetchSettings } from "../types/fetch.ts";
import type { Clock } from "../types/ports.ts";
import { isObject } from "../util/own.ts";
import type { CarriedAnswers } from "./carried-answers.ts";
import { carryEvents } from "./carried-events.ts";
import { headOfBody, limitBody } from "./http-size.ts";
import { eventStream, json, mediaType, withToldType } from "./media-type.ts";
import type { RequestId } from "./pending.ts";
import { sleep } from "./sleep.ts";
import { type StandInReason, standInMessage } from "./stand-in.ts";

export interface McpFetchSettings {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly messageBytes: number;
  readonly answers: CarriedAnswers;
  /** Answers come on another stream: a server that only takes a request (HTTP 202) may answer it all the same. */
  readonly answersElsewhere?: boolean;
  /** Told when the answer to a request is one JSON document: what it does not hold does not come. */
  readonly onDocument?: (id: string | number) => void;
}

const mostWaits = 3;
const longestWaitMs = 30_000;

/**
 * The `fetch` under Streamable HTTP. It waits as a busy server asks (`Retry-After`, at most 30 s, three times), answers
 * for a server that accepts a request and will never answer it, and cuts a message that is over the limit.
 */
export function createMcpFetch(settings: McpFetchSettings): typeof fetch {
  return async (input, init) => {
    const sending: RequestInit & HostFetchSettings = { ...init, replayable: isOnlyReading(init?.body) };
    for (let waits = 0; ; waits++) {
      const response = await settings.fetch(input, sending);
      const asked = isBusy(response) ? retryAfterMs(response, settings.clock) : null;
      const wait = asked !== null && waits < mostWaits && mayWait(response, init) ? asked : null;
      if (wait === null || wait > longestWaitMs) {
        if (asked === null) return await finish(response, init, settings);
        await response.body?.cancel();
        throw busy(response.status, asked);
      }
      await response.body?.cancel();
      await sleep(settings.clock, wait, init?.signal ?? null);
      init?.signal?.throwIfAborted();
    }
  };
}

async function finish(
  response: Response,
  init: RequestInit | undefined,
  settings: McpFetchSettings,
): Promise<Response> {
  const id = trailingId(init?.body) ?? requestIdOf(init?.body);
  if (response.status === 202 || response.status === 204) {
    const text = `it took the request (HTTP ${response.status}) and sends no answer to it`;
    const isAwaited = id !== null && settings.answersElsewhere !== true;
    return isAwaited ? errorResponse(id, "no-response", text) : response;
  }
  if (!response.ok) return headOfBody(response, settings.clock);
  const typed = id === null ? response : await withToldType(response);
  if (id !== null && mediaType(typed) === json) settings.onDocument?.(id);
  return carried(limitBody(typed, settings.messageBytes, id), id, settings.answers);
}

/** The response as the SDK's transport reads it: small carriers stand for answers, which the SDK need not read. */
function carried(response: Response, request: RequestId | null, answers: CarriedAnswers): Response {
  const { body, headers, status } = response;
  const type = mediaType(response);
  if (type === eventStream && body !== null) {
    // The SDK knows it in lower case alone.
    const told = new Headers(headers);
    told.set("content-type", eventStream);
    return new Response(carryEvents(body, request, answers), { status, headers: told });
  }
  if (type !== json) return response;
  const parse = response.json.bind(response);
  const read = async () => answers.carryDocument(await parse(), request);
  return Object.defineProperty(response, "json", { value: read, configurable: true });
}

/** The id where it is a number and the last member of its message, which saves parsing a large one. */
function trailingId(body: unknown): number | null {
  const found = typeof body === "string" ? /,"id":(\d{1,15})\}$/.exec(body.slice(-32)) : null;
  return found === null ? null : Number(found[1]);
}

/** Bodies over this are no questions for lists, and are not read for it. */
const longestReading = 4_096;

/** What may be sent again when its connection turns out to be closed, as a server may close one at any time. */
const readingMethods: ReadonlySet<unknown> = new Set([
  ...["server/discover", "initialize", "notifications/initialized", "ping", "tools/list"],
  ...["resources/list", "resources/templates/list", "resources/read", "prompts/list", "prompts/get"],
]);

function isOnlyReading(body: unknown): boolean {
  return typeof body === "string" && body.length <= longestReading && readingMethods.has(methodOf(body));
}

function isBusy({ status }: Response): boolean {
  return status === 429 || status === 503;
}

/** A server that is overloaded may have begun a call before it gave up; one that counts requests has not. */
function mayWait({ status }: Response, init: RequestInit | undefined): boolean {
  return status === 429 || methodOf(init?.body) !== "tools/call";
}

/** How long the server asks to wait, in milliseconds; null when it does not say. */
function retryAfterMs({ headers }: Response, clock: Clock): number | null {
  const header = headers.get("retry-after");
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - clock.wall();
  return ms >= 0 ? ms : null;
}

/** The SDK's own error for a status does not tell the wait. */
function busy(status: number, askedMs: number): HostError {
  const wait = Math.ceil(askedMs / 1000);
  return new HostError("call_http_error", `It answered with HTTP ${status} and asks to wait ${wait} s.`, {
    data: { status, retryAfterMs: askedMs },
  });
}

function errorResponse(id: string | number, reason: StandInReason, message: string): Response {
  return new Response(standInMessage(id, reason, message), {
    status: 200,
    headers: { "content-type": "application/json" },
  });
}

function parseBody(body: unknown): Record<string, unknown> | null {
  if (typeof body !== "string") return null;
  const message: unknown = JSON.parse(body);
  return isObject(message) ? message : null;
}

function requestIdOf(body: unknown): string | number | null {
  const id = parseBody(body)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function methodOf(body: unknown): unknown {
  return parseBody(body)?.method;
}
