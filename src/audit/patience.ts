import type { Clock } from "../types/ports.ts";

/** Waits for promises, but for none longer than `ms`; one timer serves all that wait at a time. */
export function createPatience(
  clock: Clock,
  ms: number,
  tooLate: () => Error,
): (promise: Promise<void>) => Promise<void> {
  const waiting = new Map<(error: Error) => void, number>();
  let cancel = (): void => {};

  // In the order of their beginnings, so that the first that may still wait is the next to give up.
  function look(): void {
    const now = clock.now();
    for (const [giveUp, since] of waiting) {
      if (now - since < ms) {
        cancel = clock.after(since + ms - now, look);
        return;
      }
      giveUp(tooLate());
    }
  }

  return (promise) =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(giveUp);
        if (waiting.size === 0) cancel();
      };
      const giveUp = (error: unknown): void => {
        leave();
        reject(error);
      };
      if (waiting.size === 0) cancel = clock.after(ms, look);
      waiting.set(giveUp, clock.now());
      promise.then(() => {
        leave();
        resolve();
      }, giveUp);
    });
}
