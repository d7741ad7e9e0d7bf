/** What concerns a host as a whole and is told by whichever run there is. */
export interface Notices {
  /** Tells the runs under way, or else the next one. `code`: of the warning; default `audit`. */
  tell(text: string, code?: string): void;
  /** What no run was there to hear. */
  readonly untold: readonly string[];
  /** Returns how a run stops listening. */
  listen(listener: Listener): () => void;
}

type Listener = (text: string, code: string) => void;

/** Told when nobody listens is bounded, as a host may never run. */
const mostPending = 20;

export function createNotices(): Notices {
  const listeners = new Set<Listener>();
  const pending: { readonly text: string; readonly code: string }[] = [];
  return {
    get untold() {
      return pending.map(({ text }) => text);
    },
    tell(text, code = "audit") {
      if (listeners.size === 0 && pending.length < mostPending) pending.push({ text, code });
      for (const listener of listeners) listener(text, code);
    },
    listen(listener) {
      listeners.add(listener);
      for (const { text, code } of pending.splice(0)) listener(text, code);
      return () => listeners.delete(listener);
    },
  };
}
