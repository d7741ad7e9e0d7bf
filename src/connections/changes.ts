import type { Clock } from "../types/ports.ts";

const firstPauseMs = 100;
const longestPauseMs = 30_000;

/** Turns a storm of change notifications into few readings of a list. */
export interface ChangeWatch {
  notify(): void;
  stop(): void;
}

/**
 * Reads again a moment after the first notification. A server that announces changes without making any, for instance
 * with each reading, is believed less and less often: the pause doubles while nothing changes.
 * @param readAgain resolves with whether the list is another one now. Must not reject.
 */
export function createChangeWatch(clock: Clock, readAgain: () => Promise<boolean>): ChangeWatch {
  let pauseMs = firstPauseMs;
  let cancel: (() => void) | null = null;

  async function run(): Promise<void> {
    const changed = await readAgain();
    pauseMs = changed ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
  }

  return {
    notify() {
      cancel ??= clock.after(pauseMs, () => {
        cancel = null;
        void run();
      });
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
