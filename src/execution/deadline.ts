import type { Clock } from "../types/ports.ts";

/** Why an attempt was cut short. */
export type Cut = "idle" | "hard" | "aborted";

/** The limits of one attempt: fires its own signal when nothing was heard for too long, or at the hard limit. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The reason, once the signal has fired. */
  cut(): Cut | null;
  /** Something was heard: the idle limit starts again, the hard one does not. */
  heard(): void;
  /** Both limits stand still until the returned function is run: a person is waited for. */
  hold(): () => void;
  /** Must be called at the end, so that no timer and no listener is left. */
  end(): void;
}

/** Watches one attempt. `idleMs` and `hardMs` count from now; `outer` is the run's signal. */
export function startDeadline(clock: Clock, idleMs: number, hardMs: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let cut: Cut | null = null;
  const fire = (why: Cut) => {
    if (cut !== null) return;
    cut = why;
    controller.abort(why);
  };
  const abort = () => fire("aborted");
  if (outer.aborted) abort();
  else outer.addEventListener("abort", abort, { once: true });
  let hardAt = clock.now() + hardMs;
  let idleAt = clock.now() + idleMs;
  let cancel = () => {};
  // One timer looks at both limits, and looks again, instead of a new one for every sign of life.
  const watch = () => {
    const now = clock.now();
    if (now >= hardAt) fire("hard");
    else if (now >= idleAt) fire("idle");
    else cancel = clock.after(Math.min(hardAt, idleAt) - now, watch);
  };
  watch();
  let holds = 0;
  let heldSince = 0;
  let ended = false;
  const release = () => {
    holds -= 1;
    if (holds > 0 || ended) return;
    const now = clock.now();
    hardAt += now - heldSince;
    idleAt = now + idleMs;
    watch();
  };
  return {
    signal: controller.signal,
    cut: () => cut,
    heard() {
      idleAt = clock.now() + idleMs;
    },
    hold() {
      if (holds === 0) {
        heldSince = clock.now();
        cancel();
      }
      holds += 1;
      return once(release);
    },
    end() {
      ended = true;
      cancel();
      outer.removeEventListener("abort", abort);
    },
  };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
