import { HostError } from "../errors.ts";
import type { Emit } from "../types/events.ts";
import type { ModelEvent, ModelRequest, ModelResponse } from "../types/model.ts";
import type { Budget, LoopPorts } from "../types/ports.ts";
import { createSpentTokens, type SpentTokens } from "./spent-tokens.ts";

interface AskSettings {
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Asks the model and passes on what it says while it says it. Rejects with the model's HostError, or `aborted`. */
export async function askModel(
  turn: number,
  request: ModelRequest,
  settings: AskSettings,
  ports: LoopPorts,
): Promise<ModelResponse> {
  const { signal } = settings;
  const spent = createSpentTokens();
  const answer = readAnswer(turn, ports.model.stream(request), settings, ports.budget, spent);
  const response = await unlessAborted(answer, signal).catch((thrown: unknown) => {
    // Nobody hears any more what the attempts cost.
    if (signal.aborted) spent.addTo(ports.budget);
    throw thrown;
  });
  if (response !== null) return response;
  throw new HostError(
    "model_bad_response",
    `The model ${ports.model.name} ended its answer without completing it.`,
  );
}

async function readAnswer(
  turn: number,
  events: AsyncIterable<ModelEvent>,
  { emit, signal }: AskSettings,
  budget: Budget,
  spent: SpentTokens,
): Promise<ModelResponse | null> {
  let response: ModelResponse | null = null;
  for await (const event of events) {
    if (signal.aborted) return null;
    spent.take(event);
    if (event.type === "usage_so_far") continue;
    if (event.type === "response") response = event.response;
    else if (event.type === "usage") budget.addUsage(event.usage, event.answeredBy);
    else tell(turn, event, emit);
  }
  if (response?.stopReason === "other") {
    const reason = response.rawStopReason.slice(0, 100);
    const text = `The model stopped for a reason that is not known here: "${reason}".`;
    emit({ type: "warning", code: "stop_reason", text });
  }
  return response;
}

/** A model that minds no signal is left to itself: whatever it still says is not heard. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new HostError("aborted", "The run was aborted."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function tell(
  turn: number,
  event: Exclude<ModelEvent, { type: "response" | "usage" | "usage_so_far" }>,
  emit: Emit,
): void {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
      emit({ type: event.type, turn, text: event.text });
      break;
    case "tool_input_delta":
      emit({ type: event.type, turn, callId: event.callId, alias: event.name, json: event.json });
      break;
    case "attempt_failed": {
      const { attempt, reason, retryInMs } = event;
      emit({ type: "turn_revoked", turn, attempt, reason, retryInMs });
      break;
    }
    case "warning":
      emit({ type: "warning", code: event.code, text: event.text });
      break;
    case "model_fallback":
      emit({ type: event.type, turn, from: event.from, to: event.to, reason: event.reason });
      break;
  }
}
