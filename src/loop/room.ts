import { HostError } from "../errors.ts";
import type { FittedRequest } from "../types/context.ts";
import type { Emit } from "../types/events.ts";
import type { ModelRequest, ModelResponse } from "../types/model.ts";
import type { LoopPorts } from "../types/ports.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { askModel } from "./ask-model.ts";

interface RoomSettings {
  readonly system: string;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** The next request, within what the model reads. */
export function fitRequest(
  snapshot: ToolSnapshot,
  maxTokens: number,
  { system, emit, signal }: RoomSettings,
  { context, transcript, budget }: LoopPorts,
): Promise<FittedRequest> {
  const request = { system, snapshot, messages: transcript.messages, maxTokens, signal };
  return context.fit(request, budget.turns + 1, budget.tokensLeft, emit);
}

const tooLong = "the conversation is too long for the model";
const stillTooLong =
  "The conversation is too long for the model, also without the results that were left out. Begin a new one, or ask for less.";

/**
 * Asks the model, and once more with earlier results left out when it says that the conversation is too long; null when
 * that was not enough. Counts what was used. Rejects with the API's own error when there is nothing to leave out.
 */
export async function askWithRoom(
  turn: number,
  request: ModelRequest,
  settings: RoomSettings,
  ports: LoopPorts,
): Promise<ModelResponse | null> {
  const { context } = ports;
  const shrink = (): Promise<ModelRequest | null> =>
    context.shrink({ ...request, messages: ports.transcript.messages }, turn, settings.emit);
  let asked = request;
  for (let again = false; ; again = true) {
    let response: ModelResponse | null = null;
    try {
      response = await askModel(turn, asked, settings, ports);
      ports.budget.addUsage(response.usage, response.message.native);
      context.answered(asked, response.usage);
      if (response.stopReason !== "context_window_exceeded" || again) return response;
    } catch (thrown) {
      if (!isTooLong(thrown)) throw thrown;
      if (again) {
        settings.emit({ type: "warning", code: "context_exceeded", text: stillTooLong });
        return null;
      }
      const smaller = await shrink();
      if (smaller === null) throw thrown;
      asked = smaller;
    }
    if (response !== null) {
      const smaller = await shrink();
      if (smaller === null) return response;
      asked = smaller;
    }
    settings.emit({ type: "turn_revoked", turn, attempt: 1, reason: tooLong, retryInMs: 0 });
  }
}

function isTooLong(thrown: unknown): boolean {
  return thrown instanceof HostError && thrown.data.reason === "context_exceeded";
}
