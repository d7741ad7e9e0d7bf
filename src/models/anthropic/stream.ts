import type { ModelEvent, ModelResponse, StopReason } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import { type AnswerReader, parsePayload } from "../wire/answer.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import type { EncodedRequest } from "../wire/model.ts";
import type { CacheDiagnosis } from "./cache-diagnosis.ts";
import { type ContentBuilder, createContentBuilder } from "./content.ts";
import { streamError } from "./errors.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";

const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["end_turn", "end_turn"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["stop_sequence", "stop_sequence"],
  ["pause_turn", "pause_turn"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "context_window_exceeded"],
]);

/** What the stream said about the message as a whole. */
interface Ending {
  stopReason: string;
  stopDetails: unknown;
  stopped: boolean;
}

/** A reader for one answer of the Messages API. Events of unknown types are skipped. */
export function createAnswerReader(
  request: EncodedRequest,
  model: string,
  diagnosis: CacheDiagnosis,
): AnswerReader {
  const content = createContentBuilder(request);
  const usage = createUsageMeter();
  const ending: Ending = { stopReason: "", stopDetails: null, stopped: false };
  let id: unknown;
  return {
    take(payload) {
      const event = parsePayload(payload);
      if (!isObject(event)) return [];
      const message = isObject(event.message) ? event.message : event;
      if (event.type === "message_start") id = message.id;
      const told = handleEvent(event, content, ending, usage);
      if (ending.stopped) diagnosis.answered(request, id);
      return [...told, ...diagnosis.explain(request, message.diagnostics)];
    },
    get ended() {
      return ending.stopped;
    },
    usage: usage.total,
    response() {
      if (!ending.stopped) throw new BrokenAnswer("The answer broke off before its end.");
      return toResponse(content, ending, usage, model);
    },
  };
}

function handleEvent(
  event: Record<string, unknown>,
  content: ContentBuilder,
  ending: Ending,
  usage: UsageMeter,
): ModelEvent[] {
  switch (event.type) {
    case "message_start":
      if (isObject(event.message)) usage.report(event.message.usage);
      return [];
    case "content_block_start":
      return content.start(event.index, event.content_block);
    case "content_block_delta":
      return content.delta(event.index, event.delta);
    case "message_delta":
      usage.report(event.usage);
      if (isObject(event.delta)) {
        if (typeof event.delta.stop_reason === "string") ending.stopReason = event.delta.stop_reason;
        ending.stopDetails = event.delta.stop_details ?? ending.stopDetails;
      }
      return [];
    case "message_stop":
      ending.stopped = true;
      return [];
    case "error":
      throw streamError(event.error);
    default:
      return [];
  }
}

function toResponse(
  content: ContentBuilder,
  ending: Ending,
  usage: UsageMeter,
  model: string,
): ModelResponse {
  const refusal = isObject(ending.stopDetails)
    ? (ending.stopDetails.explanation ?? ending.stopDetails.category)
    : undefined;
  return {
    message: content.finish(model),
    stopReason: stopReasons.get(ending.stopReason) ?? "other",
    rawStopReason: ending.stopReason,
    ...(typeof refusal === "string" ? { refusal } : {}),
    usage: usage.total(),
  };
}
