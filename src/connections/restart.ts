import type { Clock } from "../types/ports.ts";

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;
const mostRestarts = 5;
const windowMs = 10 * 60_000;

/** Says how long to wait before a server that died is started again. */
export interface RestartBackoff {
  /** Milliseconds until the next restart, which is counted; null when it has died too often of late. */
  next(): number | null;
}

/** One second, doubled with each restart of the last ten minutes, five of them at most. */
export function createRestartBackoff(clock: Clock): RestartBackoff {
  let restarts: number[] = [];
  return {
    next() {
      const now = clock.now();
      restarts = restarts.filter((at) => now - at < windowMs);
      if (restarts.length >= mostRestarts) return null;
      const delay = Math.min(firstDelayMs * 2 ** restarts.length, longestDelayMs);
      restarts.push(now);
      return delay;
    },
  };
}
