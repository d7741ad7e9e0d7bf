import { toHostError } from "../errors.ts";
import type {
  ElicitationAnswer,
  ElicitationAsked,
  ElicitationRequest,
  Elicitor,
} from "../types/elicitation.ts";
import type { Json } from "../types/json.ts";
import type { Clock, ExecutionContext, Secrets } from "../types/ports.ts";
import type { AskedBy, InputAnswerer, InputRecorder } from "../types/server-input.ts";
import { isObject } from "../util/own.ts";
import { randomId } from "../util/random-id.ts";
import { checkElicitation, withDefaults } from "./elicit-check.ts";

export interface ElicitSettings {
  readonly elicit: Elicitor;
  readonly recorder: InputRecorder;
  readonly secrets: Secrets;
  readonly principal: string;
  readonly clock: Clock;
}

/** A person may be away for long, but a server does not wait for ever. */
const longestWaitMs = 60 * 60 * 1000;

/** What became of a question, and why it is not what a person said. */
interface Settled {
  readonly answer: ElicitationAnswer;
  readonly reason?: string;
}

const cancelled = (reason: string): Settled => ({ answer: { action: "cancel" }, reason });

/**
 * Asks the person for a server: told, recorded, checked, and recorded again before the server gets the answer. Whatever
 * goes wrong on the way is a `cancel`.
 */
export function createElicit(settings: ElicitSettings): InputAnswerer["elicit"] {
  const { recorder, secrets, principal, clock } = settings;
  return async (asked, by, context) => {
    const { turn, emit, runId } = context;
    const { server, calls, signal } = by;
    const id = randomId("elicitation", 16);
    const startedAt = clock.now();
    const message = secrets.redact(asked.message);
    const callIds = calls.map(({ callId }) => callId);
    emit({
      ...{ type: "elicitation_requested", turn, elicitationId: id, server, callIds },
      ...{ mode: asked.mode, message },
    });
    recorder.asked(id, asked, by, context);
    const request = { ...asked, message, id, runId, principal, server, calls, signal };
    const settled = await askOnce(request, settings);
    const waitedMs = Math.round(clock.now() - startedAt);
    const { answer, reason } = await recorded(id, settled, waitedMs, by, context, recorder);
    if (reason !== undefined && !signal.aborted) {
      const text = `The question of server "${server}" was cancelled: ${secrets.redact(reason)}`;
      emit({ type: "warning", code: "elicitation", text });
    }
    const { action } = answer;
    emit({ type: "elicitation_answered", turn, elicitationId: id, server, action, waitedMs });
    return answer;
  };
}

/** Nothing leaves that is not recorded. */
async function recorded(
  id: string,
  settled: Settled,
  waitedMs: number,
  by: AskedBy,
  context: ExecutionContext,
  recorder: InputRecorder,
): Promise<Settled> {
  const { answer, reason } = settled;
  try {
    await recorder.answered(
      id,
      answer,
      { waitedMs, ...(reason === undefined ? {} : { reason }) },
      by,
      context,
    );
    return settled;
  } catch (thrown) {
    return cancelled(toHostError(thrown).message);
  }
}

/** The program's answer, or why there is none: an error, an end of the call, too long a wait. */
function askOnce(request: ElicitationRequest, { elicit, clock }: ElicitSettings): Promise<Settled> {
  const abort = new AbortController();
  const { signal } = request;
  return new Promise((resolve) => {
    const finish = (settled: Settled): void => {
      cancel();
      signal.removeEventListener("abort", onAbort);
      abort.abort();
      resolve(settled);
    };
    const onAbort = () => finish(cancelled("the call that needed the answer is over."));
    const cancel = clock.after(longestWaitMs, () => finish(cancelled("nobody answered within an hour.")));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    Promise.resolve()
      .then(() => elicit({ ...request, signal: abort.signal }))
      .then((answer) => checked(request, answer))
      .then(finish, (thrown: unknown) => finish(cancelled(`asking failed: ${toHostError(thrown).message}`)));
  });
}

/** Programs answer too, and in any shape. */
function checked(asked: ElicitationAsked, answer: unknown): Settled {
  const action = isObject(answer) ? answer.action : undefined;
  if (action === "decline" || action === "cancel") return { answer: { action } };
  if (!isObject(answer) || action !== "accept")
    return cancelled("the answer is neither accept, decline nor cancel.");
  if (asked.mode === "url") return { answer: { action } };
  const given: unknown = answer.content ?? {};
  if (!isObject(given)) return cancelled("the content of the answer is no object.");
  // What is no JSON fits no field.
  const content = withDefaults(asked.fields, given as Readonly<Record<string, Json>>);
  const problems = checkElicitation(asked.fields, content);
  return problems.length === 0
    ? { answer: { action, content } }
    : cancelled(`the answer does not fit: ${problems.join(" ")}`);
}
