const longestPauseMs = 60_000;
/** What was open for so long was no failure. */
const lastingMs = 30_000;

/**
 * Milliseconds to wait before a stream that ended is opened again: `firstMs`, doubled with each failure up to a minute,
 * less up to half of it by chance, so that the clients of a server that restarts do not all come back at once.
 */
export function pauseMs(firstMs: number, failures: number): number {
  return Math.min(firstMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2);
}

/** Whether a stream was open for so long that failures are counted anew. */
export function hasLasted(openForMs: number): boolean {
  return openForMs >= lastingMs;
}
