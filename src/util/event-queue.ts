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

/** Events that wait: those before `read` have been read. Taking one by one off the front of an array costs its length. */
interface Backlog<T> {
  events: T[];
  read: number;
}

function isEmpty<T>({ events, read }: Backlog<T>): boolean {
  return read === events.length;
}

/** The oldest event of a backlog that has one. */
function takeOldest<T>(backlog: Backlog<T>): T {
  const event = backlog.events[backlog.read] as T;
  backlog.read += 1;
  if (isEmpty(backlog)) {
    backlog.events = [];
    backlog.read = 0;
  }
  return event;
}

/**
 * A queue whose readers share its events: each goes to whoever asked first. `onLeave` is told when one stops reading
 * before the end. An iterator by hand: a generator would make several promises for each event.
 */
export function createEventQueue<T>(onLeave: () => void = () => {}): EventQueue<T> {
  const backlog: Backlog<T> = { events: [], read: 0 };
  let ended = false;
  let failure: { readonly error: unknown } | null = null;
  const readers: Reader<T>[] = [];

  /** Gives the reader the next event or the end; false when there is neither yet. */
  function serve({ resolve, reject }: Reader<T>): boolean {
    if (!isEmpty(backlog)) resolve({ value: takeOldest(backlog), done: false });
    else if (!ended) return false;
    else if (failure !== null) reject(failure.error);
    else resolve({ value: undefined, done: true });
    return true;
  }

  function wake(): void {
    for (let [first] = readers; first !== undefined && serve(first); [first] = readers) readers.shift();
  }

  const iterator: AsyncIterator<T> = {
    next: () =>
      new Promise((resolve, reject) => {
        const next = { resolve, reject };
        if (!serve(next)) readers.push(next);
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
      backlog.events.push(event);
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
