import { setMaxListeners } from "node:events";

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
