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
  /** A user and a password in it are sent as Basic authentication, where no header says another. */
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
  const { timeoutMs, source, clock, fetch } = settings;
  const { url, headers } = addressOf(settings);
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
    if (controller.signal.aborted) return `no answer within ${timeoutMs / 1000} s`;
    return areHeaders(headers) ? "it cannot be reached" : "a header of yours is none that HTTP can send";
  } finally {
    cancel();
  }
}

/** Where a request goes; a URL with a user in it is none that `fetch` takes (Fetch standard, `new Request`). */
function addressOf({
  url: text,
  headers,
}: ExporterSettings): Pick<ExporterSettings, "headers"> & { readonly url: URL } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === "" && password === "") return { url, headers };
  url.username = "";
  url.password = "";
  const given = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  return { url, headers: given ? headers : { ...headers, authorization: basic(username, password) } };
}

/** RFC 7617, in UTF-8. */
function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** A URL keeps what is no percent encoding as it was typed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function areHeaders(headers: ExporterSettings["headers"]): boolean {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

function originOf(url: string): string {
  return new URL(url).origin;
}
