import type { CallAsking } from "./server-requests/answer.ts";
import { isTracked, type Sink } from "./sinks.ts";

export type RequestId = string | number;

/** A request of ours that has no answer yet. */
export interface Pending {
  readonly id: RequestId;
  readonly method: string;
  /** It was sent with the envelope of a modern revision. */
  readonly modern: boolean;
  readonly sink: Sink | undefined;
  /** Ends the stream that carries the answer, where there is one for each request. */
  readonly stream: AbortController | null;
  /** Of a call beside the SDK: takes the answer, or the end of the connection as `null`. */
  readonly answered: ((message: Record<string, unknown> | null) => void) | null;
}

export interface PendingRequests {
  add(entry: Pending): void;
  /** The request with this id, also when a server made a text of the number. */
  find(id: unknown): Pending | undefined;
  /** Takes the request that an answer with this id belongs to. */
  take(id: unknown): Pending | undefined;
  /** Whether this very request was still waiting, which it does no longer. */
  remove(entry: Pending): boolean;
  /** The calls of a legacy revision that are under way and may be asked for something, oldest first. */
  asking(): readonly CallAsking[];
  /** Whether somebody waited for this answer, and gave it up. */
  isLate(id: unknown): boolean;
  /** Nobody waits for this answer any more. */
  cancel(id: unknown): void;
  clear(): void;
}

/** A server gets this long to end the stream of a cancelled call by itself, and may send its last words on it. */
const cancelledStreamMs = 1_000;

/** Of requests that were given up, so that a late answer is no surprise. */
const mostGivenUp = 1_000;

export function createPendingRequests(): PendingRequests {
  const entries = new Map<RequestId, Pending>();
  const givenUp = new Set<unknown>();

  function find(id: unknown): Pending | undefined {
    if (typeof id === "number") return entries.get(id);
    if (typeof id !== "string") return undefined;
    return entries.get(id) ?? (/^\d{1,15}$/.test(id) ? entries.get(Number(id)) : undefined);
  }

  function remove(entry: Pending): boolean {
    return entries.get(entry.id) === entry && entries.delete(entry.id);
  }

  return {
    add: (entry) => void entries.set(entry.id, entry),
    find,
    take(id) {
      const anonymous = id === null || id === undefined;
      // An answer without an id can only be matched while exactly one is awaited.
      const entry = anonymous && entries.size === 1 ? [...entries.values()][0] : find(id);
      if (entry !== undefined) remove(entry);
      return entry;
    },
    remove,
    asking: () =>
      [...entries.values()].flatMap(({ sink, modern }) =>
        !modern && isTracked(sink) && sink.asking !== null ? [sink.asking] : [],
      ),
    isLate: (id) => givenUp.delete(id),
    cancel(id) {
      const entry = find(id);
      if (entry === undefined) return;
      remove(entry);
      givenUp.add(entry.id);
      const [oldest] = givenUp;
      if (givenUp.size > mostGivenUp && oldest !== undefined) givenUp.delete(oldest);
      const { stream } = entry;
      if (stream !== null) setTimeout(() => stream.abort(), cancelledStreamMs).unref();
    },
    clear() {
      const open = [...entries.values()];
      entries.clear();
      for (const entry of open) entry.answered?.(null);
    },
  };
}
