import { setMaxListeners } from "node:events";
import { HostError } from "../errors.ts";
import type { Stop } from "../types/events.ts";
import type { Clock } from "../types/ports.ts";
import { linkAbort } from "../util/abort.ts";

/** A signal that also fires when a run has had its time. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Why the run ended, when it was the time that ended it. */
  stop(): Stop | null;
  end(): void;
}

/** Follows the signal and fires after `ms`, whatever is under way: a call, a question or the model. 0 means no limit. */
export function limitTime(outer: AbortSignal, ms: number, clock: Clock): TimeLimit {
  if (ms <= 0) return { signal: outer, stop: () => null, end() {} };
  const abort = linkAbort(outer);
  setMaxListeners(0, abort.signal);
  let over = false;
  const cancel = clock.after(ms, () => {
    over = !outer.aborted;
    abort.abort(new HostError("aborted", `The time limit of the run (${ms} ms) was reached.`));
  });
  return {
    signal: abort.signal,
    stop: () => (over ? { type: "budget", budget: "time", limit: ms } : null),
    end() {
      cancel();
      abort.end();
    },
  };
}
