import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerCall } from "../../types/ports.ts";

/** Holds the limits of the call that a request is part of: an HTTP request does not say whose it is. */
const holds = new AsyncLocalStorage<() => () => void>();

/** Runs a call so that its limits can stand still while a person logs in for it. */
export function holdable<T>({ hold }: ServerCall, run: () => T): T {
  return hold === undefined ? run() : holds.run(hold, run);
}

/** Waits for a person; the limits of the call that wants them stand still meanwhile. */
export async function waitForPerson<T>(wait: () => Promise<T>): Promise<T> {
  const release = holds.getStore()?.();
  try {
    return await wait();
  } finally {
    release?.();
  }
}
