import type { Clock } from "../../types/ports.ts";
import { type EndedSpan, encodeSpans, type SpanSource } from "./encode.ts";

/** Sends spans in the background. */
export interface SpanExporter {
  /** Takes a span to send soon. Never waits, never throws; over the bound it is dropped. */
  add(span: EndedSpan): void;
  /** Resolves when everything so far was sent or given up. Never rejects. */
  flush(): Promise<void>;
}

export interface ExporterSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest time for one request, milliseconds. */
  readonly timeoutMs: number;
  readonly source: SpanSource;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** Is told why spans were lost, in one sentence. */
  readonly onProblem: (sentence: string) => void;
}

/** The defaults of the SDKs' batch processor (`OTEL_BSP_*`). */
const mostWaiting = 2_048;
const mostInRequest = 512;
const delayMs = 5_000;

/** One request at a time; what fails is not sent again, because spans are worth less than the memory that they take. */
export function createExporter(settings: ExporterSettings): SpanExporter {
  const { clock, onProblem, url } = settings;
  const waiting: EndedSpan[] = [];
  let cancelTimer: (() => void) | null = null;
  let sending: Promise<void> | null = null;

  /** Only while something waits. */
  async function sendAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const problem = await send(waiting.splice(0, mostInRequest), settings);
        if (problem !== null)
          onProblem(`Spans could not be sent to ${originOf(url)}, and were dropped: ${problem}.`);
      }
    } finally {
      // At once: what came in between would wait for nobody.
      sending = null;
    }
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    if (waiting.length > 0) sending ??= sendAll();
    return sending ?? Promise.resolve();
  }

  return {
    flush,
    add(span) {
      if (waiting.length >= mostWaiting) return;
      waiting.push(span);
      if (sending !== null) return;
      if (waiting.length >= mostInRequest) void flush();
      else cancelTimer ??= clock.after(delayMs, () => void flush());
    },
  };
}

/** Why it failed, or null. The answer's text is not read: it is nobody's to show. */
async function send(batch: readonly EndedSpan[], settings: ExporterSettings): Promise<string | null> {
  const { url, headers, timeoutMs, source, clock, fetch } = settings;
  const controller = new AbortController();
  const cancel = clock.after(timeoutMs, () => controller.abort());
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: encodeSpans(batch, source),
      redirect: "error",
      signal: controller.signal,
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch {
    return controller.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : "it cannot be reached";
  } finally {
    cancel();
  }
}

function originOf(url: string): string {
  return new URL(url).origin;
}
