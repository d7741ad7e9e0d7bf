/** Events pushed on one side and iterated on the other, in order; they wait until they are read. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(event: T): void;
  /** No more events; an iteration ends after the last one. */
  end(): void;
}

/** A queue for one reader. An iterator by hand: a generator would make several promises for each event. */
export function createEventQueue<T>(): EventQueue<T> {
  let waiting: T[] = [];
  let read = 0;
  let ended = false;
  let reader: ((result: IteratorResult<T>) => void) | null = null;

  function take(): IteratorResult<T> | null {
    if (read < waiting.length) {
      const value = waiting[read] as T;
      read += 1;
      if (read === waiting.length) {
        waiting = [];
        read = 0;
      }
      return { value, done: false };
    }
    return ended ? { value: undefined, done: true } : null;
  }

  function wake(): void {
    if (reader === null) return;
    const result = take();
    if (result === null) return;
    const tell = reader;
    reader = null;
    tell(result);
  }

  const iterator: AsyncIterator<T> = {
    next() {
      const result = take();
      if (result !== null) return Promise.resolve(result);
      return new Promise((resolve) => {
        reader = resolve;
      });
    },
  };

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
    [Symbol.asyncIterator]: () => iterator,
  };
}
