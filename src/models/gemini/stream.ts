import type { ModelEvent, ModelResponse, StopReason } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import { type AnswerReader, parsePayload } from "../wire/answer.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { streamError } from "./errors.ts";
import { createPartCollector, type PartCollector } from "./parts.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";

/** Reasons that mean that the API held the answer back. */
const refusals: ReadonlySet<string> = new Set(
  "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION".split(
    " ",
  ),
);

/** Reasons of answers whose calls cannot be read: nothing has run, so that the answer is asked for again. */
const broken: ReadonlySet<string> = new Set(
  "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE".split(
    " ",
  ),
);

/** One answer while it is streamed. */
interface Open {
  readonly parts: PartCollector;
  readonly usage: UsageMeter;
  finishReason: string;
  finishMessage: string;
  /** Why the question was not answered at all. */
  blockReason: string;
}

/** A reader for one answer of `streamGenerateContent`. The stream has no last event: it is read to its end. */
export function createAnswerReader(request: EncodedRequest, model: string): AnswerReader {
  const open: Open = {
    parts: createPartCollector(request),
    usage: createUsageMeter(),
    finishReason: "",
    finishMessage: "",
    blockReason: "",
  };
  return {
    take(payload) {
      const event = parsePayload(payload);
      return isObject(event) ? takeEvent(event, payload, open) : [];
    },
    ended: false,
    usage: open.usage.total,
    response() {
      if (open.finishReason === "" && open.blockReason === "") {
        throw new BrokenAnswer("The answer broke off before its end.");
      }
      return toResponse(open, model);
    },
  };
}

function takeEvent(event: Record<string, unknown>, payload: string, open: Open): ModelEvent[] {
  if (event.error !== undefined && event.error !== null) throw streamError(event);
  open.usage.report(event.usageMetadata);
  const { promptFeedback } = event;
  if (isObject(promptFeedback) && typeof promptFeedback.blockReason === "string") {
    open.blockReason = promptFeedback.blockReason;
  }
  const candidate: unknown = Array.isArray(event.candidates) ? event.candidates[0] : undefined;
  if (!isObject(candidate)) return [];
  const { content, finishReason, finishMessage } = candidate;
  if (typeof finishMessage === "string") open.finishMessage = finishMessage;
  if (typeof finishReason === "string" && finishReason !== "") {
    open.finishReason = finishReason;
    if (broken.has(finishReason)) {
      const told = open.finishMessage === "" ? "" : `: ${open.finishMessage}`;
      throw new BrokenAnswer(`The model's answer cannot be used (${finishReason})${told.slice(0, 500)}`);
    }
  }
  const parts: unknown = isObject(content) ? content.parts : undefined;
  return Array.isArray(parts) ? open.parts.take(parts, payload) : [];
}

function toResponse(open: Open, model: string): ModelResponse {
  const { parts, usage, finishReason, blockReason } = open;
  const refusal = refusalOf(open);
  return {
    message: {
      role: "assistant",
      content: parts.content(),
      native: { api: "gemini", model, json: parts.json() },
    },
    stopReason: refusal === null ? stopReason(finishReason, parts.calls > 0) : "refusal",
    rawStopReason: finishReason === "" ? blockReason : finishReason,
    ...(refusal === null ? {} : { refusal }),
    usage: usage.total(),
  };
}

function refusalOf({ finishReason, finishMessage, blockReason }: Open): string | null {
  if (refusals.has(finishReason)) {
    return finishMessage === "" ? `Gemini held its answer back: ${finishReason}.` : finishMessage;
  }
  return finishReason === "" && blockReason !== "" ? `Gemini blocked the question: ${blockReason}.` : null;
}

/** Calls decide: the API says `STOP` with them. */
function stopReason(finishReason: string, calls: boolean): StopReason {
  if (finishReason === "MAX_TOKENS") return "max_tokens";
  if (calls) return "tool_use";
  return finishReason === "STOP" ? "end_turn" : "other";
}
