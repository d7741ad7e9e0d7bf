import type { AssistantMessage } from "../../types/message.ts";
import type { ModelEvent, ModelResponse, StopReason } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import { type AnswerReader, parsePayload } from "../wire/answer.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { createEcho, type Echo } from "./echo.ts";
import { streamError } from "./errors.ts";
import { assistantJson } from "./message.ts";
import type { ChatProfile } from "./profile.ts";
import { type CallCollector, createCallCollector } from "./tool-calls.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";

const stopReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["content_filter", "refusal"],
]);

/** Reasons of servers that gave up in the middle. */
const failures: ReadonlySet<string> = new Set(["error", "insufficient_system_resource"]);

/** One answer while it is streamed. */
interface Open {
  readonly text: string[];
  readonly thinking: string[];
  readonly refusal: string[];
  readonly calls: CallCollector;
  readonly echo: Echo;
  finishReason: string;
  finished: boolean;
  done: boolean;
}

/** A reader for one answer of Chat Completions. */
export function createAnswerReader(
  request: EncodedRequest,
  profile: ChatProfile,
  model: string,
): AnswerReader {
  const ids = new Set<string>();
  const unique = (id: string): string => {
    const found = profile.callIds.unique(
      id === "" ? "call" : id,
      (candidate) => ids.has(candidate) || request.hasCall(candidate),
    );
    ids.add(found);
    return found;
  };
  const open: Open = {
    text: [],
    thinking: [],
    refusal: [],
    calls: createCallCollector(unique),
    echo: createEcho(profile),
    finishReason: "",
    finished: false,
    done: false,
  };
  const usage = createUsageMeter();
  return {
    take(payload) {
      if (payload === "[DONE]") {
        open.done = true;
        return [];
      }
      const event = parsePayload(payload);
      return isObject(event) ? takeEvent(event, open, usage) : [];
    },
    get ended() {
      return open.done;
    },
    usage: usage.total,
    response() {
      if (!open.done && !open.finished) throw new BrokenAnswer("The answer broke off before its end.");
      return toResponse(open, usage, request, profile, model);
    },
  };
}

function takeEvent(event: Record<string, unknown>, open: Open, usage: UsageMeter): ModelEvent[] {
  if (event.error !== undefined && event.error !== null) throw streamError(event);
  usage.report(event.usage);
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
  if (!isObject(choice)) return [];
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
    if (failures.has(choice.finish_reason))
      throw new BrokenAnswer(`The API stopped: ${choice.finish_reason}.`);
    open.finishReason = choice.finish_reason;
    open.finished = true;
  }
  const { delta } = choice;
  return isObject(delta) ? takeDelta(delta, open) : [];
}

function takeDelta(delta: Record<string, unknown>, open: Open): ModelEvent[] {
  const told: ModelEvent[] = [];
  const thinking = delta.reasoning_content ?? delta.reasoning;
  if (typeof thinking === "string") think(thinking, open, told);
  open.echo.take(delta);
  if (typeof delta.content === "string") say(delta.content, open, told);
  else if (Array.isArray(delta.content)) {
    for (const part of delta.content.filter(isObject)) {
      if (typeof part.text === "string") say(part.text, open, told);
      // Mistral's form of thinking: a part that holds parts of text.
      if (!Array.isArray(part.thinking)) continue;
      for (const inner of part.thinking.filter(isObject))
        think(typeof inner.text === "string" ? inner.text : "", open, told);
    }
  }
  if (typeof delta.refusal === "string") open.refusal.push(delta.refusal);
  return [...told, ...open.calls.take(delta.tool_calls)];
}

function say(text: string, open: Open, told: ModelEvent[]): void {
  if (text === "") return;
  open.text.push(text);
  told.push({ type: "text_delta", text });
}

function think(text: string, open: Open, told: ModelEvent[]): void {
  if (text === "") return;
  open.thinking.push(text);
  told.push({ type: "thinking_delta", text });
}

function toResponse(
  open: Open,
  usage: UsageMeter,
  request: EncodedRequest,
  profile: ChatProfile,
  model: string,
): ModelResponse {
  const text = open.text.join("");
  const thinking = open.thinking.join("");
  const calls = open.calls.calls.map(({ id, name, input }) => ({
    id,
    name,
    input: inputText(input.join("")),
  }));
  const content: AssistantMessage["content"] = [
    ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, name, input }) => ({
      type: "tool_call" as const,
      id,
      name,
      input: request.tools.restore(name, input),
    })),
  ];
  const json = `[${assistantJson(text, calls, open.echo.fields(), profile)}]`;
  const refusal = open.refusal.join("");
  return {
    message: { role: "assistant", content, native: { api: profile.api, model, json } },
    stopReason: stopReason(open.finishReason, refusal, calls.length > 0),
    rawStopReason: open.finishReason,
    ...(refusal === "" ? {} : { refusal }),
    usage: usage.total(),
  };
}

/** Calls decide: many servers say `stop` with them. An answer that was cut or refused stays one. */
function stopReason(finishReason: string, refusal: string, calls: boolean): StopReason {
  const known = stopReasons.get(finishReason);
  if (refusal !== "") return "refusal";
  if (known === "max_tokens" || known === "refusal") return known;
  return calls ? "tool_use" : known === "tool_use" ? "end_turn" : (known ?? "other");
}

/** No text at all means no arguments. */
function inputText(text: string): string {
  return text.trim() === "" ? "{}" : text;
}
