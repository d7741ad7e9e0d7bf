import type { HostError } from "../errors.ts";
import type { Clock } from "../types/ports.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** How long runs wait for a server that only helps, from its start: most are up by then, and are there from the first turn on. */
const helperMs = 500;

/** When runs may begin with a server, and when they cannot go on. */
export interface FirstStart {
  /** The start has begun; `known` resolves with whether something is known of the server already. */
  begin(known: Promise<boolean>): void;
  ready(): Promise<void>;
  over(): Promise<void>;
  blocker(): HostError | null;
}

export interface FirstStartSettings {
  readonly required: boolean;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
}

/** A server that has never worked ends what needs it; one that has is started again, and its calls wait. */
export function createFirstStart({ required, lifecycle, clock }: FirstStartSettings): FirstStart {
  let known: Promise<boolean> = Promise.resolve(false);
  let beganAt = clock.now();

  function failure(): HostError | null {
    return required && lifecycle.connection() === null ? lifecycle.failure() : null;
  }

  return {
    begin(isKnown) {
      known = isKnown;
      beganAt = clock.now();
    },
    async ready() {
      const starting = lifecycle.starting();
      if (starting !== null && lifecycle.failure() === null) {
        const leftMs = required ? null : Math.max(0, helperMs - (clock.now() - beganAt));
        await untilUsable(starting, known, leftMs, clock);
      } else if (required) await starting;
      const error = failure();
      if (error !== null) throw error;
    },
    async over() {
      await lifecycle.starting();
      const error = failure();
      if (error !== null) throw error;
    },
    blocker: () => (lifecycle.starting() === null && !lifecycle.hasWorked() ? failure() : null),
  };
}

/** Resolves when the start is over, something is known, or the time is over, whichever is first. */
function untilUsable(
  starting: Promise<void>,
  known: Promise<boolean>,
  leftMs: number | null,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = leftMs === null ? () => {} : clock.after(leftMs, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    starting.then(done, done);
    void known.then((isKnown) => isKnown && done());
  });
}
