/** Lets at most a fixed number of actions run at once; the others wait in order. */
export interface Limiter {
  /**
   * Runs the action when there is room. Rejects with the signal's reason when it fires while waiting; once running,
   * the action minds the signal itself.
   */
  run<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T>;
}

/** @throws RangeError when `most` is not a positive integer. */
export function createLimiter(most: number): Limiter {
  if (!Number.isInteger(most) || most < 1)
    throw new RangeError(`A limit is a positive integer, not ${most}.`);
  let running = 0;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  }

  function holding<T>(action: () => Promise<T>): Promise<T> {
    return action().finally(release);
  }

  function room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener("abort", leave);
        waiting.delete(start);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      waiting.add(start);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return {
    run(signal, action) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (running >= most) return room(signal).then(() => holding(action));
      running += 1;
      return holding(action);
    },
  };
}
