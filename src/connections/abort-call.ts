import { setMaxListeners } from "node:events";
import { untilAborted } from "./wait.ts";

/** What servers are told of a cancelled call: the person's own reason is none of their business. */
export const cancelReason = "cancelled by the host";

/** Runs `abort` once when the signal fires or the host closes; the returned function lets go. */
export function whenAborted(signal: AbortSignal, inFlight: Set<() => void>, abort: () => void): () => void {
  inFlight.add(abort);
  // Many calls may share a signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", abort, { once: true });
  return () => {
    inFlight.delete(abort);
    signal.removeEventListener("abort", abort);
  };
}

/** Does something between two requests that belong together; null as soon as they are aborted. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  inFlight: Set<() => void>,
  onAbort: () => void,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const controller = new AbortController();
  const letGo = whenAborted(signal, inFlight, () => {
    onAbort();
    controller.abort(cancelReason);
  });
  try {
    return await untilAborted(work(controller.signal), controller.signal);
  } catch (thrown) {
    if (controller.signal.aborted) return null;
    throw thrown;
  } finally {
    letGo();
  }
}
