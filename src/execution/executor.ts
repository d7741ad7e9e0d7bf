import { toHostError } from "../errors.ts";
import type { Limits } from "../types/config.ts";
import type { Consent } from "../types/consent.ts";
import type { HostErrorCode } from "../types/error.ts";
import type { ApprovedCall, CallOutcome } from "../types/outcome.ts";
import type { CallRecorder, CallServer, Clock, ExecutionContext, Executor } from "../types/ports.ts";
import type { InputAnswerer } from "../types/server-input.ts";
import { createLimiter, type Limiter } from "../util/limit.ts";
import { type AttemptLimits, attemptCall } from "./attempt.ts";
import { mayRetry } from "./retry.ts";

export interface ExecutorSettings {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly call: CallServer;
  readonly recheck: Consent["recheck"];
  readonly recorder: CallRecorder;
  /** Shared by all runs of a host: how many calls a server gets at once. */
  readonly serverLimiter: (server: string) => Limiter;
  /** The longest time for one call of a server, milliseconds; without one the limits hold. */
  readonly timeoutOf?: (server: string) => number | undefined;
  /** Answers what servers ask while their calls run. Default: nothing is answered. */
  readonly answerer?: InputAnswerer;
}

/** One limiter a server, made when it is first needed. */
export function createServerLimiters(most: number): (server: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (server) => {
    const known = limiters.get(server);
    if (known !== undefined) return known;
    const limiter = createLimiter(most);
    limiters.set(server, limiter);
    return limiter;
  };
}

/** The executor of one run. Waiting for a place counts against no limit: a call's clock starts when it is sent. */
export function createExecutor(settings: ExecutorSettings): Executor {
  const runLimiter = createLimiter(settings.limits.callsPerRun);
  return {
    async execute(approved, context) {
      const server = settings.serverLimiter(approved.call.tool.route.server);
      try {
        return await server.run(context.signal, () =>
          runLimiter.run(context.signal, () => runAttempts(approved, settings, context)),
        );
      } catch (thrown) {
        if (context.signal.aborted)
          return notRun("call_aborted", "Cancelled before it was sent. It did not run.");
        return notRun("internal", toHostError(thrown).message);
      }
    },
  };
}

const attemptsAtMost = 2;

async function runAttempts(
  approved: ApprovedCall,
  settings: ExecutorSettings,
  context: ExecutionContext,
): Promise<CallOutcome> {
  const { clock } = settings;
  const onTask = (taskId: string): void => settings.recorder.becameTask?.(approved, taskId, context);
  const call: CallServer = (sent) => settings.call({ ...sent, onTask });
  const { idleMs, hardMs } = timesOf(approved.call.tool.route.server, settings);
  const startedAt = clock.now();
  let before: CallOutcome | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const refused =
      refusal(approved, settings, context) ?? (await intend(approved, attempt, settings, context));
    if (refused !== null) return before ?? refused;
    const within = { idleMs, hardMs, leftMs: hardMs - (clock.now() - startedAt) };
    const outcome =
      refusal(approved, settings, context) ??
      (await attemptCall(approved, attempt, within, call, clock, context, settings.answerer));
    const ended = { ...outcome, ms: Math.round(clock.now() - startedAt) };
    settings.recorder.settled(approved, ended, attempt, context);
    const again =
      attempt < attemptsAtMost &&
      hardMs - (clock.now() - startedAt) > 0 &&
      !context.signal.aborted &&
      mayRetry(outcome, approved.call.tool);
    if (!again) return ofAllAttempts(before, ended);
    before = ended;
  }
}

/** A server's own time is the hard limit, and a server that says nothing has all of it. */
function timesOf(server: string, { limits, timeoutOf }: ExecutorSettings): Omit<AttemptLimits, "leftMs"> {
  const timeout = timeoutOf?.(server);
  if (timeout === undefined) return { idleMs: limits.callIdleMs, hardMs: limits.callHardMs };
  return { idleMs: Math.max(limits.callIdleMs, timeout), hardMs: timeout };
}

/** What is true of the whole call: a last attempt that did not run says nothing of one before it that may have. */
function ofAllAttempts(before: CallOutcome | null, last: CallOutcome): CallOutcome {
  const lastRan = last.type === "answered" || last.executed !== "no";
  if (before === null || lastRan) return last;
  return { ...before, attempts: Math.max(before.attempts, last.attempts), ms: last.ms };
}

/** Why the call may not run after all, as an outcome; null when it may. Asked before and after the wait for the disk. */
function refusal(
  approved: ApprovedCall,
  settings: ExecutorSettings,
  context: ExecutionContext,
): CallOutcome | null {
  if (context.signal.aborted) return notRun("call_aborted", "Cancelled before it was sent. It did not run.");
  const stale = settings.recheck(approved, context.current(approved.call.tool.route));
  return stale === null ? null : notRun("call_unstamped", `Not run: ${stale}`);
}

/** Records the intent; an outcome when that failed, because nothing runs that is not recorded. */
async function intend(
  approved: ApprovedCall,
  attempt: number,
  settings: ExecutorSettings,
  context: ExecutionContext,
): Promise<CallOutcome | null> {
  try {
    await settings.recorder.intended(approved, attempt, context);
    return null;
  } catch (thrown) {
    const error = toHostError(thrown, "audit_failed");
    context.emit({ type: "warning", code: error.code, text: error.message });
    return notRun(
      error.code,
      "Not run: the host could not record the call, and runs nothing that it cannot record.",
    );
  }
}

function notRun(code: HostErrorCode, message: string): CallOutcome {
  return { type: "failed", code, message, executed: "no", attempts: 0, ms: 0 };
}
