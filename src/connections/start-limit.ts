import type { Clock } from "../types/ports.ts";

/** How long a start may take, without the time in which a person is waited for. */
export interface StartLimit {
  /** Does the waiting: the limit stands still until it is over. */
  readonly untimed: <T>(wait: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
}

export function createStartLimit(clock: Clock, ms: number, expire: () => void): StartLimit {
  let left = ms;
  let since = clock.now();
  let cancel = clock.after(left, expire);
  let ended = false;
  return {
    async untimed(wait) {
      cancel();
      left -= clock.now() - since;
      try {
        return await wait();
      } finally {
        since = clock.now();
        if (!ended) cancel = clock.after(Math.max(left, 0), expire);
      }
    },
    end() {
      ended = true;
      cancel();
    },
  };
}
