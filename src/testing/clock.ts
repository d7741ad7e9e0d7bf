import type { Clock } from "../types/ports.ts";

/** A clock that stands still until it is told to move. */
export interface TestClock extends Clock {
  /** Moves time forward and runs, in order, everything that is due on the way. */
  advance(ms: number): Promise<void>;
  /** Timers that still wait. */
  pending(): number;
}

/** Makes a clock for tests: no test waits, and none depends on the speed of the machine. */
export function createTestClock(startMs = 0): TestClock {
  let time = startMs;
  const timers = new Set<{ at: number; action: () => void }>();
  const due = (limit: number) =>
    [...timers].filter((timer) => timer.at <= limit).sort((a, b) => a.at - b.at)[0];
  return {
    wall: () => time,
    now: () => time,
    after(ms, action) {
      const timer = { at: time + ms, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      // What was just started sets its timers first.
      await new Promise((resolve) => setImmediate(resolve));
      const end = time + ms;
      for (let timer = due(end); timer; timer = due(end)) {
        timers.delete(timer);
        time = timer.at;
        timer.action();
        await new Promise((resolve) => setImmediate(resolve));
      }
      time = end;
      await new Promise((resolve) => setImmediate(resolve));
    },
    pending: () => timers.size,
  };
}
