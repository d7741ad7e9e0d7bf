import type { ModelEvent, ModelResponse, StopReason } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import { type ContentBuilder, createContentBuilder } from "./content.ts";
import { BrokenAnswer, StreamErrorEvent } from "./errors.ts";
import type { EncodedRequest } from "./request.ts";
import { createSseParser } from "./sse.ts";
import type { UsageMeter } from "./usage.ts";

/** Most characters an answer may have. */
const answerLimit = 64 * 1024 * 1024;

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

/** What the reading of an answer needs beside its stream. */
export interface AnswerContext {
  readonly model: string;
  readonly request: EncodedRequest;
  readonly usage: UsageMeter;
  /** Told of every delta. */
  readonly emit: (event: ModelEvent) => void;
  /** Called with each piece that arrives. */
  onActivity(): void;
  /** Waits for the end of the stream as long as it is worth it. */
  patience(end: Promise<unknown>): Promise<void>;
}

/**
 * Reads the stream of one answer: tells the deltas as they come, and gives the response. Events of unknown types are
 * skipped.
 * @throws StreamErrorEvent when the API reports an error in the stream, BrokenAnswer when it ends before its end.
 */
export async function readAnswer(
  body: ReadableStream<Uint8Array>,
  context: AnswerContext,
): Promise<ModelResponse> {
  const { model, request, usage, emit } = context;
  const content = createContentBuilder(request);
  const ending: Ending = { stopReason: "", stopDetails: null, stopped: false };
  const parser = createSseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let received = 0;
  try {
    while (!ending.stopped) {
      const { done, value } = await reader.read();
      if (done) break;
      context.onActivity();
      const text = decoder.decode(value, { stream: true });
      received += text.length;
      if (received > answerLimit) throw new BrokenAnswer("The answer is too large.");
      for (const { data } of parser.push(text)) {
        for (const told of handleEvent(parseEvent(data), content, ending, usage)) emit(told);
      }
    }
  } finally {
    // Reads to the end when it is there, so that the connection can be used again.
    if (ending.stopped) await context.patience(reader.read().catch(() => {}));
    await reader.cancel().catch(() => {});
  }
  if (!ending.stopped) throw new BrokenAnswer("The answer broke off before its end.");
  return toResponse(content, ending, usage, model);
}

function parseEvent(data: string): Record<string, unknown> {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (cause) {
    throw new BrokenAnswer("The answer holds an event that is no JSON.", { cause });
  }
  return isObject(event) ? event : {};
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
      throw new StreamErrorEvent(event.error);
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
