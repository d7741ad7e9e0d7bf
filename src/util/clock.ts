import type { Clock } from "../types/ports.ts";

/** The machine’s own time. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
