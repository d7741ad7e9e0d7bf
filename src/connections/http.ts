import type { Clock } from "../types/ports.ts";
import { isObject } from "../util/own.ts";
import { limitBody } from "./http-size.ts";
import { errorMessage, type StandInReason } from "./stand-in.ts";

export interface HostFetchSettings {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly messageBytes: number;
}

const mostWaits = 3;
const longestWaitMs = 30_000;

/**
 * The `fetch` under Streamable HTTP. It waits as a busy server asks (`Retry-After`, at most 30 s, three times), answers
 * for a server that accepts a request and will never answer it, and cuts a message that is over the limit.
 */
export function createHostFetch(settings: HostFetchSettings): typeof fetch {
  return async (input, init) => {
    for (let waits = 0; ; waits++) {
      const response = await settings.fetch(input, init);
      const wait = waits < mostWaits ? retryAfterMs(response, init, settings.clock) : null;
      if (wait === null) return finish(response, init, settings);
      await response.body?.cancel();
      await pause(wait, settings.clock, init?.signal ?? null);
    }
  };
}

function finish(response: Response, init: RequestInit | undefined, settings: HostFetchSettings): Response {
  const requestId = () => requestIdOf(init?.body);
  if (response.status === 202) {
    const id = requestId();
    const text = "The server accepted the request (HTTP 202) and will not answer it.";
    return id === null ? response : errorResponse(id, "no-response", text);
  }
  return response.ok ? limitBody(response, settings.messageBytes, requestId) : response;
}

/** Milliseconds to wait before the request is sent again; null when it is not. */
function retryAfterMs(response: Response, init: RequestInit | undefined, clock: Clock): number | null {
  const { status } = response;
  if (status !== 429 && status !== 503) return null;
  // A server that is overloaded may have begun a call before it gave up; one that counts requests has not.
  if (status === 503 && methodOf(init?.body) === "tools/call") return null;
  const header = response.headers.get("retry-after");
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - clock.wall();
  return ms >= 0 && ms <= longestWaitMs ? ms : null;
}

function pause(ms: number, clock: Clock, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function errorResponse(id: string | number, host: StandInReason, message: string): Response {
  return new Response(errorMessage(id, host, message), {
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
