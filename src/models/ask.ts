import { HostError } from "../errors.ts";
import type { ModelEvent, ModelRequest, ModelResponse, Usage } from "../types/model.ts";
import type { AnsweredBy } from "../types/ports.ts";
import { addCounts } from "../util/add-counts.ts";
import type { Culprit, Repairer } from "./repair.ts";
import { type ModelFailure, type RetrySettings, withRetries } from "./retry.ts";

/** One attempt at a request. */
interface Attempt {
  run(): Promise<ModelResponse>;
  /** Tokens that were reported so far: they are counted also when the attempt fails. */
  usage(): Usage;
}

/** A request in the API's form: what is tried until it is answered or refused. */
export interface PreparedRequest {
  attempt(): Attempt;
  classify(thrown: unknown): ModelFailure;
  /** What of the request a refusal names. */
  culprits(refusal: HostError): readonly Culprit[];
}

/** How a model is asked. */
export interface Asking {
  readonly retries: RetrySettings;
  readonly repairer: Repairer;
  readonly answeredBy: AnsweredBy;
  prepare(request: ModelRequest): PreparedRequest;
}

/** How often one request is mended and asked again. */
const mostInARow = 16;

/**
 * Asks, and asks again: whole after a failure that may pass, and without what the API refuses as long as it names
 * something new. The tokens of attempts that failed are told as `usage` before the end, each for itself, because a long
 * prompt may have its own price; but not for a run that was aborted: nobody listens any more.
 * @throws HostError of the last failure
 */
export async function askUntilAnswered(
  { retries, repairer, answeredBy, prepare }: Asking,
  request: ModelRequest,
  emit: (event: ModelEvent) => void,
): Promise<ModelResponse> {
  const spent: Usage[] = [];
  const tellSpent = (): void => {
    for (const usage of records(spent)) emit({ type: "usage", usage, answeredBy });
  };
  for (let repaired = 0; ; repaired += 1) {
    const prepared = prepare(repairer.apply(request));
    const run = async (): Promise<ModelResponse> => {
      const attempt = prepared.attempt();
      try {
        return await attempt.run();
      } catch (thrown) {
        spent.push(attempt.usage());
        throw thrown;
      }
    };
    try {
      const response = await withRetries(retries, request.signal, run, prepared.classify, emit);
      tellSpent();
      return response;
    } catch (thrown) {
      const refusal = thrown instanceof HostError && thrown.code === "model_rejected" ? thrown : null;
      const culprits = refusal === null || repaired >= mostInARow ? [] : prepared.culprits(refusal);
      const repairs = repairer.learn(request, culprits);
      if (refusal === null || repairs.length === 0) {
        if (spent.some(isBilled) && !request.signal.aborted) tellSpent();
        throw thrown;
      }
      emit({ type: "attempt_failed", attempt: repaired + 1, reason: refusal.message, retryInMs: 0 });
      for (const { code, text } of repairs) emit({ type: "warning", code, text });
    }
  }
}

/** One record for each attempt that the API reported tokens of, and one for all others. */
function records(spent: readonly Usage[]): Usage[] {
  const [first, ...others] = spent.filter((usage) => !isBilled(usage));
  const unbilled = first === undefined ? [] : [others.reduce(addCounts, first)];
  return [...spent.filter(isBilled), ...unbilled];
}

/** Whether an API reported anything: a request that it refused costs nothing. */
function isBilled({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): boolean {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens > 0;
}
