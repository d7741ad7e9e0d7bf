import { toHostError } from "../errors.ts";
import type { ApprovedCall, CallOutcome, Executed } from "../types/outcome.ts";
import type { CallServer, Clock, ExecutionContext } from "../types/ports.ts";
import type { CallInput, InputAnswerer } from "../types/server-input.ts";
import { type Cut, startDeadline } from "./deadline.ts";
import { createProgressLimit } from "./progress-limit.ts";

/** What one attempt may use. Milliseconds. */
export interface AttemptLimits {
  readonly idleMs: number;
  /** The limit for all attempts of the call, as its end is told. */
  readonly hardMs: number;
  /** What is left of it. */
  readonly leftMs: number;
}

/** Sends the call once and waits for its end, within the limits. Never rejects. */
export async function attemptCall(
  approved: ApprovedCall,
  attempt: number,
  limits: AttemptLimits,
  call: CallServer,
  clock: Clock,
  context: ExecutionContext,
  answerer?: InputAnswerer,
): Promise<CallOutcome> {
  const startedAt = clock.now();
  const deadline = startDeadline(clock, limits.idleMs, limits.leftMs, context.signal);
  const elapsed = () => ({ attempts: attempt, ms: Math.round(clock.now() - startedAt) });
  const isTold = createProgressLimit(clock);
  let progress = Number.NEGATIVE_INFINITY;
  const hold = () => {
    // Whoever goes on after an answer may count anew.
    progress = Number.NEGATIVE_INFINITY;
    return deadline.hold();
  };
  context.emit({ type: "call_started", turn: context.turn, callId: approved.call.id, attempt });
  try {
    const reply = await call({
      runId: context.runId,
      route: approved.call.tool.route,
      arguments: approved.call.arguments,
      signal: deadline.signal,
      hold,
      onProgress(report) {
        // Only progress that moves is a sign of life: a server cannot buy time by repeating itself.
        if (report.progress <= progress) return;
        progress = report.progress;
        deadline.heard();
        if (!isTold()) return;
        context.emit({ type: "call_progress", turn: context.turn, callId: approved.call.id, ...report });
      },
      ...(answerer === undefined ? {} : { input: inputOf(approved, answerer, context, hold) }),
      ...(context.trace === undefined ? {} : { trace: context.trace }),
    });
    return { type: "answered", reply, ...elapsed() };
  } catch (thrown) {
    const error = toHostError(thrown, "internal");
    const executed = executedOf(error.data.executed);
    const cut = deadline.cut();
    if (cut !== null && error.code === "call_aborted")
      return cutShort(cut, limits, executed, elapsed(), unusableOf(error.data.unusable));
    return { type: "failed", code: error.code, message: error.message, executed, ...elapsed() };
  } finally {
    deadline.end();
  }
}

/** What the server may ask while this call runs. */
function inputOf(
  { call }: ApprovedCall,
  answerer: InputAnswerer,
  context: ExecutionContext,
  hold: CallInput["hold"],
): CallInput {
  return {
    callId: call.id,
    tool: call.tool.route.tool,
    hold,
    elicit: (asked, by) => answerer.elicit(asked, by, context),
    sample: (asked, by) => answerer.sample(asked, by, context),
  };
}

function executedOf(value: unknown): Executed {
  return value === "no" || value === "yes" ? value : "maybe";
}

function cutShort(
  cut: Cut,
  limits: AttemptLimits,
  executed: Executed,
  elapsed: { attempts: number; ms: number },
  unusable: string,
): CallOutcome {
  const unknown = executed === "no" ? "It did not run." : "It is not known whether it took effect.";
  if (cut === "aborted") {
    return { type: "failed", code: "call_aborted", message: `Cancelled. ${unknown}`, executed, ...elapsed };
  }
  const limit =
    cut === "idle"
      ? `Timed out: no sign of life for ${seconds(limits.idleMs)}.`
      : `Timed out: not done after ${seconds(limits.hardMs)}.`;
  return {
    type: "failed",
    code: "call_timeout",
    message: `${limit} ${unknown}${unusable}`,
    executed,
    ...elapsed,
  };
}

/** A server that answers with what is no answer looks like a silent one otherwise. */
function unusableOf(messages: unknown): string {
  if (typeof messages !== "number" || messages === 0) return "";
  return ` Meanwhile the server sent ${messages} ${messages === 1 ? "message" : "messages"} that this host cannot use.`;
}

function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}
