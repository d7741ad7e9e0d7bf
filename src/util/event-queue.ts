/** Events pushed on one side and iterated on the other, in order; they wait until they are read. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(event: T): void;
  /** No more events; an iteration ends after the last one. */
  end(): void;
  /** The same, but the iteration rejects after the last event. */
  fail(error: unknown): void;
}

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A queue for one reader; `onLeave` is told when it stops reading before the end. An iterator by hand: a generator
 * would make several promises for each event.
 */
export function createEventQueue<T>(onLeave: () => void = () => {}): EventQueue<T> {
  let waiting: T[] = [];
  let read = 0;
  let ended = false;
  let failure: { readonly error: unknown } | null = null;
  let reader: Reader<T> | null = null;

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

  function serve({ resolve, reject }: Reader<T>): boolean {
    const result = take();
    if (result === null) return false;
    if (result.done === true && failure !== null) reject(failure.error);
    else resolve(result);
    return true;
  }

  function wake(): void {
    if (reader !== null && serve(reader)) reader = null;
  }

  const iterator: AsyncIterator<T> = {
    next: () =>
      new Promise((resolve, reject) => {
        const next = { resolve, reject };
        if (!serve(next)) reader = next;
      }),
    async return() {
      onLeave();
      return { value: undefined, done: true };
    },
  };

  function finish(): void {
    ended = true;
    wake();
  }

  return {
    push(event) {
      if (ended) return;
      waiting.push(event);
      wake();
    },
    end: finish,
    fail(error) {
      failure ??= { error };
      finish();
    },
    [Symbol.asyncIterator]: () => iterator,
  };
}

/**
 * What `work` emits, as an iterable: it begins with the iteration, ends or rejects as the work does, and the work's
 * signal fires when the reader leaves early.
 */
export function iterateEmitted<T>(
  work: (emit: (event: T) => void, left: AbortSignal) => Promise<void>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const leaving = new AbortController();
      const queue = createEventQueue<T>(() => leaving.abort());
      work(queue.push, leaving.signal).then(queue.end, queue.fail);
      return queue[Symbol.asyncIterator]();
    },
  };
}
