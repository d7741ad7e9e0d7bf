import { HostError } from "../errors.ts";
import type { ModelEvent } from "../types/model.ts";
import type { Clock } from "../types/ports.ts";

/** How often and how long one request is tried. */
export interface RetrySettings {
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** No attempt begins later than this after the first one, in milliseconds. */
  readonly retryDeadlineMs: number;
  readonly clock: Clock;
}

/** What a failed attempt means. */
export interface ModelFailure {
  /** What the caller gets when it is not tried again. */
  readonly error: HostError;
  /** Whether another attempt may succeed. */
  readonly retry: boolean;
  /** How long the API asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/**
 * Runs attempts until one succeeds, and gives its result. A failed one is told as `attempt_failed`, which voids its
 * deltas, and is repeated whole after a growing delay with jitter, or after the delay that the API asked for. Nothing
 * of the delay is slept once the signal fires.
 * @throws HostError of the last failure, or with code `aborted`.
 */
export async function withRetries<T>(
  settings: RetrySettings,
  signal: AbortSignal,
  run: () => Promise<T>,
  classify: (thrown: unknown) => ModelFailure,
  emit: (event: ModelEvent) => void,
): Promise<T> {
  const { clock } = settings;
  const started = clock.now();
  for (let attempt = 1; ; attempt += 1) {
    let failure: ModelFailure;
    try {
      throwIfAborted(signal);
      return await run();
    } catch (thrown) {
      throwIfAborted(signal);
      failure = classify(thrown);
    }
    const retryInMs = failure.retryAfterMs ?? retryDelayMs(attempt, Math.random());
    const late = clock.now() - started + retryInMs > settings.retryDeadlineMs;
    if (!failure.retry || attempt > settings.maxRetries || late) throw failure.error;
    emit({ type: "attempt_failed", attempt, reason: failure.error.message, retryInMs });
    await sleep(clock, retryInMs, signal);
  }
}

/** The delay after a failed attempt: doubled each time up to 8 s, less up to a quarter by chance (`random` in 0 to 1). */
export function retryDelayMs(attempt: number, random: number): number {
  return Math.round(Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (1 - random / 4));
}

/** @throws HostError with code `aborted` once the signal has fired. */
function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new HostError("aborted", "The run was aborted.");
}

/** Waits on the clock, and no longer than the signal lets it. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
