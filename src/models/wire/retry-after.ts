import type { ModelFailure } from "../retry.ts";

/** The failure with the wait that the answer's headers ask for; `x-should-retry: false` forbids another attempt. */
export function withRetryAfter(failure: ModelFailure, headers: unknown, now: number): ModelFailure {
  if (!(headers instanceof Headers)) return failure;
  if (headers.get("x-should-retry") === "false") return { ...failure, retry: false };
  const retryAfterMs = waitMs(headers, now);
  return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitMs(headers: Headers, now: number): number | null {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers.get("retry-after") ?? "";
  if (/^[\d.]+$/.test(value)) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
