import type { Clock } from "../types/ports.ts";

/** Waits for the end of the work, however it ends, but no longer than `ms`. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    work.then(done, done);
  });
}
