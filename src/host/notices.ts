/** What concerns a host as a whole and is told by whichever run there is. */
export interface Notices {
  /** Tells the runs under way, or else the next one. */
  tell(text: string): void;
  /** What no run was there to hear. */
  readonly untold: readonly string[];
  /** Returns how a run stops listening. */
  listen(listener: (text: string) => void): () => void;
}

/** Told when nobody listens is bounded, as a host may never run. */
const mostPending = 20;

export function createNotices(): Notices {
  const listeners = new Set<(text: string) => void>();
  const pending: string[] = [];
  return {
    get untold() {
      return [...pending];
    },
    tell(text) {
      if (listeners.size === 0 && pending.length < mostPending) pending.push(text);
      for (const listener of listeners) listener(text);
    },
    listen(listener) {
      listeners.add(listener);
      for (const text of pending.splice(0)) listener(text);
      return () => listeners.delete(listener);
    },
  };
}
