import { HostError } from "../../errors.ts";
import type { AssistantMessage, ToolCallBlock } from "../../types/message.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../../types/model.ts";
import { stableJson } from "../../util/stable-json.ts";
import { noUsage } from "../../util/usage.ts";
import { answerText } from "./answer.ts";
import { readHistory } from "./history.ts";
import { planStep } from "./plan.ts";
import { toolIndex } from "./rank.ts";

/**
 * The built-in model: rules, no language model. It matches the question's words to tools (BM25+), fills arguments from
 * the question, chains simple calls, and answers with extracts of their results; the first line of an answer says what
 * it is. Deterministic, stateless, and without any network. A request rejects with `aborted` when its signal has fired.
 */
export function createOfflineModel(): Model {
  return {
    api: "offline",
    name: "offline",
    capabilities: { toolResultImages: false, offline: true },
    stream,
  };
}

async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
  throwIfAborted(request.signal);
  const index = await toolIndex(request.snapshot);
  throwIfAborted(request.signal);
  const history = readHistory(request.messages, request.snapshot);
  const plan = planStep(history, request.snapshot, index);
  if (plan.calls.length === 0) {
    const text = answerText(plan, request.snapshot);
    yield { type: "text_delta", text };
    yield completed({ role: "assistant", content: [{ type: "text", text }] }, "end_turn");
    return;
  }
  const blocks = plan.calls.map(
    (call, position): ToolCallBlock => ({
      type: "tool_call",
      id: `offline_${history.calls + position + 1}`,
      name: call.tool.alias,
      input: stableJson(call.arguments),
    }),
  );
  for (const { id, name, input } of blocks) yield { type: "tool_input_delta", callId: id, name, json: input };
  yield completed({ role: "assistant", content: blocks }, "tool_use");
}

function completed(message: AssistantMessage, stopReason: "end_turn" | "tool_use"): ModelEvent {
  const response: ModelResponse = {
    message,
    stopReason,
    rawStopReason: stopReason,
    usage: { ...noUsage, requests: 1 },
  };
  return { type: "response", response };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new HostError("aborted", "The run was aborted before the model answered.", {
      cause: signal.reason,
    });
}
