import type { AssistantMessage } from "../../types/message.ts";
import type { ModelEvent, ModelResponse, StopReason } from "../../types/model.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";
import { type AnswerReader, parsePayload } from "../wire/answer.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import { plainCallIds } from "../wire/call-id.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { streamError } from "./errors.ts";
import { createItemCollector, type ItemCollector } from "./items.ts";
import { type OutputItem, replayableItems, responsesApi } from "./turn.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";

const incompleteReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["max_output_tokens", "max_tokens"],
  ["content_filter", "refusal"],
]);

/** One answer while it is streamed. */
interface Open {
  readonly items: ItemCollector;
  /** The response as the event that ends the stream has it. */
  last: Readonly<Record<string, unknown>> | null;
}

/** A reader for one answer of the Responses API. Events that nobody knows are passed over. */
export function createAnswerReader(request: EncodedRequest, model: string): AnswerReader {
  const ids = new Set<string>();
  const unique = (id: string): string => {
    const found = plainCallIds.unique(
      id === "" ? "call" : id,
      (candidate) => ids.has(candidate) || request.hasCall(candidate),
    );
    ids.add(found);
    return found;
  };
  const open: Open = { items: createItemCollector(unique), last: null };
  const usage = createUsageMeter();
  return {
    take(payload) {
      if (payload === "[DONE]") return [];
      const event = parsePayload(payload);
      return isObject(event) ? takeEvent(event, open, usage) : [];
    },
    get ended() {
      return open.last !== null;
    },
    usage: usage.total,
    response() {
      if (open.last === null) throw new BrokenAnswer("The answer broke off before its end.");
      return toResponse(open.last, open.items, usage, request, model);
    },
  };
}

function takeEvent(event: Readonly<Record<string, unknown>>, open: Open, usage: UsageMeter): ModelEvent[] {
  const type = textOfJson(event.type);
  const response = isObject(event.response) ? event.response : {};
  switch (type) {
    case "error":
      throw streamError(event);
    case "response.failed":
      usage.report(response.usage);
      throw streamError(response);
    case "response.completed":
    case "response.incomplete":
    case "response.cancelled":
      usage.report(response.usage);
      open.last = { ...response, status: response.status ?? type.slice("response.".length) };
      return [];
    default:
      return open.items.take(type, event);
  }
}

function toResponse(
  last: Readonly<Record<string, unknown>>,
  collector: ItemCollector,
  usage: UsageMeter,
  request: EncodedRequest,
  model: string,
): ModelResponse {
  const items = collector.items(last.output);
  const native = replayableItems(items, { callId: collector.callId, taken: request.hasCall });
  const content = items.flatMap((item) => blocksOf(item, collector, request));
  const calls = content.some(({ type }) => type === "tool_call");
  const refusal = items.flatMap((item) => partsOf(item.content, "refusal")).join("\n");
  const details = isObject(last.incomplete_details) ? last.incomplete_details : {};
  const status = textOfJson(last.status);
  const reason = typeof details.reason === "string" ? details.reason : status;
  return {
    message: {
      role: "assistant",
      content,
      native: { api: responsesApi, model, json: JSON.stringify(native) },
    },
    stopReason: refusal === "" ? stopReason(status, reason, calls) : "refusal",
    rawStopReason: reason,
    ...(refusal === "" ? {} : { refusal }),
    usage: usage.total(),
  };
}

/** Calls decide. An answer that was cut or refused stays one. */
function stopReason(status: string, reason: string, calls: boolean): StopReason {
  const known = status === "completed" ? undefined : incompleteReasons.get(reason);
  if (known !== undefined) return known;
  if (calls) return "tool_use";
  return status === "completed" ? "end_turn" : "other";
}

type Block = AssistantMessage["content"][number];

function blocksOf(item: OutputItem, collector: ItemCollector, { tools }: EncodedRequest): Block[] {
  switch (item.type) {
    case "reasoning": {
      const parts = [...partsOf(item.summary, "text"), ...partsOf(item.content, "text")];
      const text = parts.join("\n\n");
      return text === "" ? [] : [{ type: "thinking", text }];
    }
    case "message": {
      const text = partsOf(item.content, "text").join("");
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "function_call": {
      const name = textOfJson(item.name ?? "");
      const written = textOfJson(item.arguments ?? "");
      // No text at all means no arguments.
      const input = written.trim() === "" ? "{}" : written;
      return [{ type: "tool_call", id: collector.callId(item), name, input: tools.restore(name, input) }];
    }
    default:
      return [];
  }
}

/** The texts of the parts of a list that have a field of this name. */
function partsOf(parts: unknown, field: "text" | "refusal"): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).flatMap((part) => {
    const text = part[field];
    return typeof text === "string" && text !== "" ? [text] : [];
  });
}
