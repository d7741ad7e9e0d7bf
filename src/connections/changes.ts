import type { Clock } from "../types/ports.ts";

const firstPauseMs = 100;
/** The longest pause while readings find changes: a list that never stays the same is read this often. */
const longestBusyMs = 5_000;
const longestPauseMs = 30_000;
/** After so much silence the next change is read at once again. */
const calmMs = 10_000;

/** Turns a storm of change notifications into few readings of a list. */
export interface ChangeWatch {
  notify(): void;
  stop(): void;
}

/**
 * Reads again a moment after the first notification. The pause doubles with every reading until nothing was announced
 * for a while, and more so while nothing changes: a server that announces changes without making any, for instance with
 * each reading, is believed less and less often.
 * @param readAgain resolves with whether the list is another one now. Must not reject.
 */
export function createChangeWatch(clock: Clock, readAgain: () => Promise<boolean>): ChangeWatch {
  let pauseMs = firstPauseMs;
  let heardAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;

  async function run(): Promise<void> {
    const changed = await readAgain();
    pauseMs = Math.min(pauseMs * 2, changed ? longestBusyMs : longestPauseMs);
    heardAt = clock.now();
  }

  return {
    notify() {
      if (clock.now() - heardAt > calmMs) pauseMs = firstPauseMs;
      heardAt = clock.now();
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
