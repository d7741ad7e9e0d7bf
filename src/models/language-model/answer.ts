import type { AssistantMessage } from "../../types/message.ts";
import type { ModelEvent, ModelResponse, StopReason, Usage } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import { plainCallIds } from "../wire/call-id.ts";
import { partError } from "./failures.ts";
import { createPartCollector, type OpenPart } from "./parts.ts";
import { callJson, languageModelApi, textJson } from "./prompt.ts";
import { usageOf } from "./usage.ts";

/** Puts one answer together from the parts of its stream. */
export interface PartReader {
  /** Takes a part and gives what it adds. @throws when it reports an error */
  take(part: unknown): ModelEvent[];
  readonly ended: boolean;
  usage(): Usage;
  /** @throws BrokenAnswer when the stream ended before the answer did. */
  response(): ModelResponse;
}

/** What the reading of one answer needs beside its parts. */
export interface PartReading {
  /** The model's name, as its turns carry it. */
  readonly model: string;
  /** Whether a call of the conversation has this id. */
  taken(id: string): boolean;
  /** The arguments of a call of an alias as its tool's own schema means them. */
  restore(alias: string, argumentsJson: string): string;
}

/** Reasons of providers that the interface's own words do not tell apart. */
const rawReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["pause_turn", "pause_turn"],
  ["model_context_window_exceeded", "context_window_exceeded"],
  ["stop_sequence", "stop_sequence"],
  ["refusal", "refusal"],
]);

const unifiedReasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
  ["tool-calls", "tool_use"],
]);

export function createPartReader(reading: PartReading): PartReader {
  const ids = new Set<string>();
  const unique = (id: string): string => {
    const isTaken = (candidate: string): boolean => ids.has(candidate) || reading.taken(candidate);
    const found = plainCallIds.unique(id === "" ? "call" : id, isTaken);
    ids.add(found);
    return found;
  };
  const collector = createPartCollector(unique);
  let finish: Readonly<Record<string, unknown>> | null = null;
  return {
    take(part) {
      if (!isObject(part)) return [];
      if (part.type === "error") throw partError(part.error);
      if (part.type === "finish") finish = part;
      return collector.take(part);
    },
    get ended() {
      return finish !== null;
    },
    usage: () => usageOf(finish?.usage),
    response() {
      if (finish === null) throw new BrokenAnswer("The answer broke off before its end.");
      return toResponse(finish, collector.parts, reading);
    },
  };
}

function toResponse(
  finish: Readonly<Record<string, unknown>>,
  parts: readonly OpenPart[],
  reading: PartReading,
): ModelResponse {
  const content = parts.flatMap((part) => blockOf(part, reading));
  const calls = content.some(({ type }) => type === "tool_call");
  const { unified, raw } = reasonOf(finish.finishReason);
  if (unified === "error") throw new BrokenAnswer(`The provider stopped: ${raw === "" ? "error" : raw}.`);
  const stopReason = toStopReason(unified, raw, calls);
  const refusal = stopReason === "refusal" ? explanationOf(finish.providerMetadata) : "";
  return {
    message: {
      role: "assistant",
      content,
      native: { api: languageModelApi, model: reading.model, json: `[${parts.flatMap(partJson).join(",")}]` },
    },
    stopReason,
    rawStopReason: raw === "" ? unified : raw,
    ...(refusal === "" ? {} : { refusal }),
    usage: usageOf(finish.usage),
  };
}

function reasonOf(reason: unknown): { readonly unified: string; readonly raw: string } {
  const { unified, raw } = isObject(reason) ? reason : {};
  return {
    unified: typeof unified === "string" ? unified : "other",
    raw: typeof raw === "string" ? raw : "",
  };
}

/** Calls decide. An answer that was cut, refused or paused stays one. */
function toStopReason(unified: string, raw: string, calls: boolean): StopReason {
  const known = rawReasons.get(raw) ?? unifiedReasons.get(unified) ?? "other";
  if (known === "end_turn" || known === "tool_use" || known === "stop_sequence" || known === "other") {
    if (calls) return "tool_use";
    return known === "tool_use" ? "end_turn" : known;
  }
  return known;
}

/** Why a model refused, where the provider tells it. */
function explanationOf(metadata: unknown): string {
  for (const one of isObject(metadata) ? Object.values(metadata) : []) {
    const details = isObject(one) ? one.stopDetails : null;
    if (isObject(details) && typeof details.explanation === "string") return details.explanation;
  }
  return "";
}

type Block = AssistantMessage["content"][number];

function blockOf(part: OpenPart, { restore }: PartReading): Block[] {
  if (part.type === "opaque") return [];
  const text = part.pieces.join("");
  switch (part.type) {
    case "text":
      return text === "" ? [] : [{ type: "text", text }];
    case "reasoning":
      return text === "" ? [] : [{ type: "thinking", text }];
    default: {
      const { id, name } = part;
      if (part.executed) return [];
      // No text at all means no arguments.
      return [{ type: "tool_call", id, name, input: restore(name, text.trim() === "" ? "{}" : text) }];
    }
  }
}

/** A part as it goes back to the model, with what its provider wants back. */
function partJson(part: OpenPart): string[] {
  if (part.type === "opaque") return [part.json];
  const text = part.pieces.join("");
  const options = part.metadata == null ? "" : `,"providerOptions":${JSON.stringify(part.metadata)}`;
  if (part.type === "tool-call") {
    return [
      callJson(part.id, part.name, text, `${part.executed ? ',"providerExecuted":true' : ""}${options}`),
    ];
  }
  if (text.trim() === "" && options === "") return [];
  return [
    part.type === "text"
      ? textJson(text, options)
      : `{"type":"reasoning","text":${JSON.stringify(text)}${options}}`,
  ];
}
