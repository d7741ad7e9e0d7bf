import type { Clock } from "../types/ports.ts";
import { hasLasted, pauseMs } from "./back-off.ts";
import { eventStream, mediaType } from "./media-type.ts";
import { sleep } from "./sleep.ts";

const firstPauseMs = 1_000;

export interface StandingStreamSettings {
  readonly clock: Clock;
  /** The stream is open again, or its session is lost: what was announced meanwhile was told to nobody. */
  readonly onMissed: () => void;
}

/**
 * A `fetch` under which the stream that a legacy server tells its news on (a GET, MCP 2025-11-25, Streamable HTTP) does
 * not end with its connection: it is opened again with back-off, from the last event on, for as long as its reader
 * wants it. The SDK gives up after two attempts, and then no change of a list is heard of.
 */
export function keepStandingStream(
  fetch: typeof globalThis.fetch,
  settings: StandingStreamSettings,
): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const response = await fetch(input, init);
    // What is resumed from an event is the answer to a call, which the SDK follows for as long as the call is wanted.
    if (init.method !== "GET" || headers.has("last-event-id") || !isEvents(response)) return response;
    const { body } = response;
    if (body === null) return response;
    const open = (lastEventId: string | null) => {
      if (lastEventId !== null) headers.set("last-event-id", lastEventId);
      return fetch(input, { ...init, headers });
    };
    const stream = standing(body, open, init.signal ?? null, settings);
    return new Response(stream, { status: response.status, headers: response.headers });
  };
}

function isEvents(response: Response): boolean {
  return response.ok && mediaType(response) === eventStream;
}

type Bytes = ReadableStreamDefaultReader<Uint8Array>;

function standing(
  first: ReadableStream<Uint8Array>,
  open: (lastEventId: string | null) => Promise<Response>,
  signal: AbortSignal | null,
  { clock, onMissed }: StandingStreamSettings,
): ReadableStream<Uint8Array> {
  const ids = createIdWatch();
  let reader: Bytes | null = first.getReader();
  let openedAt = clock.now();
  let failures = 0;
  let cancelled = false;
  let wake = (): void => {};
  const isOver = () => cancelled || signal?.aborted === true;

  /** Tries until the stream is open; null when it may not be opened any more. */
  async function reopen(): Promise<Bytes | null> {
    if (hasLasted(clock.now() - openedAt)) failures = 0;
    for (;;) {
      await pause(pauseMs(firstPauseMs, failures));
      failures += 1;
      if (isOver()) return null;
      const response = await open(ids.last()).catch(() => null);
      if (isOver()) return null;
      if (response !== null && isEvents(response) && response.body !== null) {
        openedAt = clock.now();
        onMissed();
        return response.body.getReader();
      }
      await response?.body?.cancel();
      // The server has forgotten the session, or has no such stream any more: the next request finds out.
      if (response !== null && response.status < 500 && response.status !== 429) {
        onMissed();
        return null;
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(clock, ms, signal, (stop) => {
      wake = stop;
      if (cancelled) stop();
    });
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (reader !== null) {
        const chunk = await reader.read().catch(() => null);
        if (chunk !== null && !chunk.done) {
          ids.push(chunk.value);
          controller.enqueue(chunk.value);
          return;
        }
        reader = isOver() ? null : await reopen();
        // Half an event must not run into the next one.
        if (reader !== null) controller.enqueue(new TextEncoder().encode("\n\n"));
      }
      // Ended here, it would be asked for once more by the SDK.
      if (!isOver())
        await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      if (!cancelled) controller.close();
    },
    async cancel(reason) {
      cancelled = true;
      wake();
      await reader?.cancel(reason);
    },
  });
}

const longestIdLine = 1_024;

/** Remembers the last `id` of a stream of events. */
function createIdWatch(): { push(chunk: Uint8Array): void; last(): string | null } {
  const decoder = new TextDecoder();
  let line = "";
  let last: string | null = null;
  return {
    push(chunk) {
      const lines = `${line}${decoder.decode(chunk, { stream: true })}`.split("\n");
      // Of a long line that goes on only the beginning matters.
      line = (lines.pop() ?? "").slice(0, longestIdLine);
      for (const one of lines) if (one.startsWith("id:")) last = one.slice(3).trim().slice(0, longestIdLine);
    },
    last: () => last,
  };
}
