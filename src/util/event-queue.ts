/** Events pushed on one side and iterated on the other, in order; they wait until they are read. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(event: T): void;
  /** No more events; an iteration ends after the last one. */
  end(): void;
}

/** A queue for one reader. */
export function createEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake = () => {};
  return {
    push(event) {
      if (ended) return;
      waiting.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
