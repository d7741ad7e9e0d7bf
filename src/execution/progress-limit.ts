import type { Clock } from "../types/ports.ts";

const mostAtOnce = 100;
const msEach = 50;

/**
 * Whether one more progress report of a call is told: a hundred at once, then twenty a second. A server may report
 * faster than anybody reads, and what is told waits in memory until it is read.
 */
export function createProgressLimit(clock: Clock): () => boolean {
  let left = mostAtOnce;
  let at = clock.now();
  return () => {
    const now = clock.now();
    left = Math.min(mostAtOnce, left + (now - at) / msEach);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
