import { toHostError } from "../../errors.ts";
import type { ElicitationAnswer } from "../../types/elicitation.ts";
import type { Clock } from "../../types/ports.ts";
import type { AskedBy, CallInput } from "../../types/server-input.ts";
import { readElicitation } from "../elicitation/read-elicitation.ts";
import { redactWords } from "../elicitation/redact-words.ts";
import { internalError, invalidParams, methodNotFound, type WireError } from "../protocol.ts";
import { createQuestionLimit } from "./question-limit.ts";
import type { Root } from "./roots.ts";
import { readSampling, samplingResult } from "./sampling.ts";

/** What a server may ask of this host. Only this is announced. */
export interface HostOffer {
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: readonly Root[];
}

/** The calls of a server that may need an answer, oldest first. */
export interface Asking {
  readonly calls: readonly CallAsking[];
  /** Fires when nobody needs the answer any more. */
  readonly signal: AbortSignal;
}

/** A call that its server may ask something for. */
export interface CallAsking {
  readonly input: CallInput;
  /** How often it has asked. */
  questions: number;
  /** Told once when the call is over. */
  readonly watchers: Set<() => void>;
}

/** A request's result, or the reason why there is none; without secrets, as the server gets it. */
type InputResult = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: WireError };

/** Answers a request of a server, whichever era carried it. Never rejects. */
export type AnswerRequest = (method: string, params: unknown, asking: Asking) => Promise<InputResult>;

const mostPerCall = 10;

export function createAnswers(
  server: string,
  offer: HostOffer,
  clock: Clock,
  redact: (text: string) => string,
): AnswerRequest {
  const mayAsk = createQuestionLimit(clock);

  /** Somebody is asked for a call that is under way, with its clock stopped. */
  async function ask(
    { calls, signal }: Asking,
    answer: (input: CallInput, by: AskedBy) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<InputResult> {
    const [first, ...others] = calls;
    if (first === undefined) return refused("nothing runs for this host that could need it");
    if (first.questions >= mostPerCall || !mayAsk()) return refused("too much is asked");
    first.questions += 1;
    const identity = ({ input: { callId, tool } }: CallAsking) => ({ callId, tool });
    const by: AskedBy = { server, calls: [identity(first), ...others.map(identity)], signal };
    const release = calls.map(({ input }) => input.hold());
    try {
      return { result: await answer(first.input, by) };
    } catch (thrown) {
      return refused(toHostError(thrown).message);
    } finally {
      for (const letGo of release) letGo();
    }
  }

  return async (method, params, asking) => {
    if (method === "roots/list" && offer.roots.length > 0) return { result: { roots: offer.roots } };
    if (method === "elicitation/create" && offer.elicitation) {
      const asked = readElicitation(redactWords(params, redact));
      if (typeof asked === "string") return refused(asked, invalidParams);
      return ask(asking, async (input, by) => elicitationResult(await input.elicit(asked, by), asked.mode));
    }
    if (method === "sampling/createMessage" && offer.sampling) {
      const asked = readSampling(params);
      if (typeof asked === "string") return refused(asked, invalidParams);
      return ask(asking, async (input, by) => samplingResult(await input.sample(asked, by)));
    }
    const nobody = method === "elicitation/create" && !offer.elicitation ? ", as there is nobody to ask" : "";
    return refused(`this host does not offer it${nobody}`, methodNotFound);
  };
}

/** As `ElicitResult`: content goes with an accepted form only. */
function elicitationResult(answer: ElicitationAnswer, mode: "form" | "url"): Record<string, unknown> {
  if (answer.action !== "accept") return { action: answer.action };
  return mode === "url" ? { action: "accept" } : { action: "accept", content: answer.content ?? {} };
}

function refused(reason: string, code: number = internalError): InputResult {
  return { error: { code, message: `Not answered: ${reason}.`.replace(/\.\.$/, ".") } };
}
