import type { Clock } from "../../src/types/ports.ts";

/** The delays that are hurried, in ms: those between two attempts at a request. Shorter and longer ones are limits. */
const hurried = { from: 300, to: 20_000 };

/** A clock on which a model's delays between attempts pass at once. */
export const hurriedClock: Clock = {
  wall: () => Date.now(),
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms >= hurried.from && ms <= hurried.to ? 0 : ms);
    return () => clearTimeout(timer);
  },
};
