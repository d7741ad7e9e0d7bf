import type { Clock } from "../types/ports.ts";

/** Resolves after `ms`, when the signal fires, or when the function is run that `stoppable` gets. */
export function sleep(
  clock: Clock,
  ms: number,
  signal: AbortSignal | null,
  stoppable?: (stop: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const cancel = clock.after(ms, stop);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    stoppable?.(stop);
  });
}
