import { HostError } from "../errors.ts";
import type { Message } from "../types/message.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../types/model.ts";
import { noUsage } from "../util/usage.ts";

/**
 * The first model, with others to ask when it refuses to answer: in order, each with the same request. What a refused
 * answer showed is revoked, and its tokens are told as `usage`. A fallback that fails itself is passed over with a warning. A turn of
 * tools is finished by the model that began it; the next question goes to the first model again.
 */
export function withFallbacks(first: Model, fallbacks: readonly Model[]): Model {
  if (fallbacks.length === 0) return first;
  const models = [first, ...fallbacks];
  const { api, name, capabilities, countTokens } = first;
  return {
    api,
    name,
    capabilities,
    fallbacks,
    leftOut: (snapshot) => first.leftOut?.(snapshot) ?? [],
    behindSearch: (snapshot, messages) => first.behindSearch?.(snapshot, messages) ?? null,
    ...(countTokens !== undefined && { countTokens: (request) => countTokens.call(first, request) }),
    stream: (request) => askInOrder(models.slice(beginnerOf(request.messages, models)), request),
  };
}

async function* askInOrder(models: readonly Model[], request: ModelRequest): AsyncGenerator<ModelEvent> {
  let refused: ModelResponse | null = null;
  for (const [index, model] of models.entries()) {
    const answer: ModelResponse | HostError | null = yield* readAnswer(model, request, refused !== null);
    if (answer === null) return;
    const next = models[index + 1];
    if (answer instanceof HostError) {
      const text = `The fallback model ${nameOf(model)} failed: ${answer.message}`;
      yield { type: "attempt_failed", attempt: index + 1, reason: answer.message, retryInMs: 0 };
      yield { type: "warning", code: "model_fallback_failed", text };
      continue;
    }
    if (answer.stopReason !== "refusal" || next === undefined) {
      yield { type: "response", response: answer };
      return;
    }
    // Its tokens are told by themselves, below.
    refused = { ...answer, usage: noUsage };
    // Each model has its own price.
    yield { type: "usage", usage: answer.usage, answeredBy: { api: model.api, model: model.name } };
    const reason = answer.refusal ?? "The model refused without an explanation.";
    yield {
      type: "attempt_failed",
      attempt: index + 1,
      reason: `the model refused: ${reason}`,
      retryInMs: 0,
    };
    yield { type: "model_fallback", from: nameOf(model), to: nameOf(next), reason };
  }
  if (refused !== null) yield { type: "response", response: refused };
}

/** The answer; the error of a fallback; null for a stream that ended without either. Passes on everything else. */
async function* readAnswer(
  model: Model,
  request: ModelRequest,
  isFallback: boolean,
): AsyncGenerator<ModelEvent, ModelResponse | HostError | null> {
  try {
    for await (const event of model.stream(request)) {
      if (event.type === "response") return event.response;
      yield event;
    }
    return null;
  } catch (thrown) {
    if (!isFallback || request.signal.aborted || !(thrown instanceof HostError)) throw thrown;
    return thrown;
  }
}

/** Which model began the turn whose results are the newest message; the first when it is a new question. */
function beginnerOf(messages: readonly Message[], models: readonly Model[]): number {
  const answers = messages.at(-1)?.content.some((block) => block.type === "tool_result");
  const turn = messages.at(-2);
  if (answers !== true || turn?.role !== "assistant" || turn.native === undefined) return 0;
  const { api, model } = turn.native;
  return Math.max(
    0,
    models.findIndex((one) => one.api === api && one.name === model),
  );
}

function nameOf({ api, name }: Model): string {
  return `${api}/${name}`;
}
