/** A signal of its own that follows others; `end` lets go of them. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  end(): void;
}

/** Fires when any of the given signals fires. Unlike `AbortSignal.any` it leaves nothing behind on long-lived ones. */
export function linkAbort(...outer: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const followed = outer.filter((signal) => signal !== undefined);
  const follow = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const signal of followed) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener("abort", follow, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    end() {
      for (const signal of followed) signal.removeEventListener("abort", follow);
    },
  };
}
