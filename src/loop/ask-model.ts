import { HostError } from "../errors.ts";
import type { Emit } from "../types/events.ts";
import type { ModelEvent, ModelResponse } from "../types/model.ts";
import type { LoopPorts } from "../types/ports.ts";
import type { ToolSnapshot } from "../types/tool.ts";

interface AskSettings {
  readonly system: string;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Asks the model and passes on what it says while it says it. Rejects with the model's HostError, or `aborted`. */
export async function askModel(
  turn: number,
  snapshot: ToolSnapshot,
  maxTokens: number,
  settings: AskSettings,
  ports: LoopPorts,
): Promise<ModelResponse> {
  const { system, signal, emit } = settings;
  const request = { system, snapshot, messages: ports.transcript.messages, maxTokens, signal };
  let response: ModelResponse | null = null;
  for await (const event of ports.model.stream(request)) {
    if (signal.aborted) throw new HostError("aborted", "The run was aborted.");
    if (event.type === "response") response = event.response;
    else tell(turn, event, emit);
  }
  if (response !== null) return response;
  throw new HostError(
    "model_bad_response",
    `The model ${ports.model.name} ended its answer without completing it.`,
  );
}

function tell(turn: number, event: Exclude<ModelEvent, { type: "response" }>, emit: Emit): void {
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
  }
}
