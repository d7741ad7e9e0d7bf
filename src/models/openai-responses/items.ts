import type { ModelEvent } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import type { OutputItem } from "./turn.ts";

/** An item while it is streamed. */
interface OpenItem {
  /** As it was announced. */
  readonly begun: OutputItem;
  /** As it was told once it was whole. */
  whole: OutputItem | null;
  /** The id of a call, unique in the conversation. */
  readonly callId: string;
  readonly text: string[];
  readonly json: string[];
}

/** Puts the items of one answer together from the events of its stream. */
export interface ItemCollector {
  /** Takes an event about an item and gives the deltas that it adds. */
  take(type: string, event: Readonly<Record<string, unknown>>): ModelEvent[];
  /** The items in their order; those that the stream did not finish as the `output` of the response has them. */
  items(output: unknown): readonly OutputItem[];
  /** The id of the call of an item that `items` gave. */
  callId(item: OutputItem): string;
}

/** Most items an answer may have. */
const itemLimit = 10_000;

/** @param unique an id of a call that is not in the conversation yet. */
export function createItemCollector(unique: (id: string) => string): ItemCollector {
  const open = new Map<number, OpenItem>();
  const callIds = new Map<OutputItem, string>();

  const openAt = (index: number, begun: OutputItem): OpenItem | null => {
    const known = open.get(index);
    if (known !== undefined || open.size >= itemLimit) return known ?? null;
    const isCall = begun.type === "function_call";
    const item = {
      begun,
      whole: null,
      callId: isCall ? unique(textOf(begun.call_id) || textOf(begun.id)) : "",
      text: [],
      json: [],
    };
    open.set(index, item);
    return item;
  };

  const finish = (item: OpenItem, output: unknown): OutputItem => {
    const found = item.whole ?? (isObject(output) ? output : fromPieces(item));
    callIds.set(found, item.callId);
    return found;
  };

  return {
    take(type, event) {
      const index = typeof event.output_index === "number" ? event.output_index : 0;
      if (type.startsWith("response.output_item.")) {
        const item = isObject(event.item) ? openAt(index, event.item) : null;
        if (item === null || !isObject(event.item)) return [];
        const isDone = type === "response.output_item.done";
        if (isDone) item.whole = event.item;
        return isDone && item.begun.type === "function_call" ? restOfInput(item, event.item.arguments) : [];
      }
      const item = open.get(index);
      return item === undefined ? [] : takeDelta(type, event, item);
    },
    items(output) {
      const listed = Array.isArray(output) ? output : [];
      for (const [index, item] of listed.entries()) if (isObject(item)) openAt(index, item);
      return [...open.entries()]
        .sort(([first], [second]) => first - second)
        .map(([index, item]) => finish(item, listed[index]));
    },
    callId: (item) => callIds.get(item) ?? "",
  };
}

function takeDelta(type: string, event: Readonly<Record<string, unknown>>, item: OpenItem): ModelEvent[] {
  const delta = textOf(event.delta);
  switch (type) {
    case "response.output_text.delta":
      item.text.push(delta);
      return delta === "" ? [] : [{ type: "text_delta", text: delta }];
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return delta === "" ? [] : [{ type: "thinking_delta", text: delta }];
    case "response.reasoning_summary_part.added":
      return Number(event.summary_index) > 0 ? [{ type: "thinking_delta", text: "\n\n" }] : [];
    case "response.function_call_arguments.delta":
      return inputDelta(item, delta);
    case "response.function_call_arguments.done":
      return restOfInput(item, event.arguments);
    default:
      return [];
  }
}

function inputDelta(item: OpenItem, json: string): ModelEvent[] {
  if (json === "") return [];
  item.json.push(json);
  return [{ type: "tool_input_delta", callId: item.callId, name: textOf(item.begun.name), json }];
}

/** Some servers tell the arguments only when they are whole. */
function restOfInput(item: OpenItem, whole: unknown): ModelEvent[] {
  return item.json.length === 0 ? inputDelta(item, textOf(whole)) : [];
}

function fromPieces({ begun, text, json }: OpenItem): OutputItem {
  if (begun.type === "function_call") return { ...begun, arguments: json.join("") };
  if (begun.type !== "message") return begun;
  return { ...begun, content: [{ type: "output_text", text: text.join(""), annotations: [] }] };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
