import type { AssistantMessage } from "../../types/message.ts";
import type { ModelEvent } from "../../types/model.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject, own } from "../../util/own.ts";
import { plainCallIds, wireName } from "../wire/call-id.ts";
import { objectJson } from "../wire/json-bytes.ts";
import type { EncodedRequest } from "../wire/model.ts";

type WireBlock = Record<string, unknown>;

/** A block while it is streamed. `input` collects the raw text of a call's arguments. */
interface OpenBlock {
  readonly fields: WireBlock;
  readonly type: string;
  readonly id: string;
  input: string[];
}

/** Collects the blocks of one answer. */
export interface ContentBuilder {
  /** `content_block_start` */
  start(index: unknown, block: unknown): ModelEvent[];
  /** `content_block_delta` */
  delta(index: unknown, delta: unknown): ModelEvent[];
  /** The message: neutral, and as the model wrote it. */
  finish(model: string): AssistantMessage;
}

/** The types of blocks whose deltas are all known. */
const knownTypes: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/** The type of block that a kind of delta belongs to: in another known one it would make a field that the API refuses. */
const blocksOfDeltas: Readonly<Record<string, string>> = {
  text_delta: "text",
  citations_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "thinking",
  input_json_delta: "tool_use",
};

/** Most blocks an answer may have. */
const blockLimit = 10_000;

/**
 * Puts the blocks of an answer together from the events of its stream. Blocks of types nobody knows are kept as they
 * came. The ids of calls are made unique in the conversation, in both forms of the message.
 */
export function createContentBuilder(request: EncodedRequest): ContentBuilder {
  const blocks = new Map<number, OpenBlock>();
  const ids = new Set<string>();
  const newId = (id: unknown): string => {
    const unique = plainCallIds.unique(
      textOfJson(id ?? ""),
      (candidate) => ids.has(candidate) || request.hasCall(candidate),
    );
    ids.add(unique);
    return unique;
  };
  return {
    start(index, block) {
      if (!isObject(block) || !Number.isInteger(index) || blocks.size >= blockLimit) return [];
      const type = textOfJson(block.type);
      const open = { fields: { ...block }, type, id: type === "tool_use" ? newId(block.id) : "", input: [] };
      blocks.set(Number(index), open);
      return firstEvents(open);
    },
    delta(index, delta) {
      const open = blocks.get(typeof index === "number" ? index : -1);
      return open === undefined || !isObject(delta) ? [] : applyDelta(open, delta);
    },
    finish(model) {
      const ordered = [...blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
      const json = `[${ordered.flatMap(nativeJson).join(",")}]`;
      const inputs = createPieces(json);
      return {
        role: "assistant",
        content: ordered.flatMap((block) => neutralBlock(block, request, inputs)),
        native: { api: "anthropic", model, json },
      };
    },
  };
}

function firstEvents({ type, fields }: OpenBlock): ModelEvent[] {
  if (type === "text" && fields.text) return [{ type: "text_delta", text: textOfJson(fields.text) }];
  if (type === "thinking" && fields.thinking)
    return [{ type: "thinking_delta", text: textOfJson(fields.thinking) }];
  return [];
}

function applyDelta(open: OpenBlock, delta: WireBlock): ModelEvent[] {
  const block = own(blocksOfDeltas, textOfJson(delta.type));
  if (block !== undefined && block !== open.type && knownTypes.has(open.type)) return [];
  switch (delta.type) {
    case "text_delta":
      append(open.fields, "text", delta.text);
      return delta.text ? [{ type: "text_delta", text: textOfJson(delta.text) }] : [];
    case "thinking_delta":
      append(open.fields, "thinking", delta.thinking);
      return delta.thinking ? [{ type: "thinking_delta", text: textOfJson(delta.thinking) }] : [];
    case "signature_delta":
      append(open.fields, "signature", delta.signature);
      return [];
    case "citations_delta":
      open.fields.citations = [
        ...(Array.isArray(open.fields.citations) ? open.fields.citations : []),
        delta.citation,
      ];
      return [];
    case "input_json_delta": {
      const json = textOfJson(delta.partial_json ?? "");
      open.input.push(json);
      const shown = open.type === "tool_use" && json !== "";
      return shown
        ? [{ type: "tool_input_delta", callId: open.id, name: textOfJson(open.fields.name), json }]
        : [];
    }
    default:
      // A kind of delta that came later than this code: texts grow, anything else is replaced. A block of a known type
      // gets no field by it, for the API refuses blocks with fields that it did not give them.
      for (const [name, value] of Object.entries(delta)) {
        if (name === "type" || name === "__proto__") continue;
        if (knownTypes.has(open.type) && !Object.hasOwn(open.fields, name)) continue;
        if (typeof value === "string") append(open.fields, name, value);
        else open.fields[name] = value;
      }
      return [];
  }
}

function append(fields: WireBlock, name: string, text: unknown): void {
  const present = Object.hasOwn(fields, name) ? fields[name] : "";
  fields[name] = `${typeof present === "string" ? present : ""}${textOfJson(text ?? "")}`;
}

/** The raw text of a call's arguments. No text at all means no arguments. */
function inputText(block: OpenBlock): string {
  const text = block.input.join("");
  if (text.trim() !== "") return text;
  return isObject(block.fields.input) ? JSON.stringify(block.fields.input) : "{}";
}

/** The block to send back: as it came, but for what the API would refuse to get back. */
function nativeJson(block: OpenBlock): string[] {
  const { fields, type } = block;
  if (type === "text" && textOfJson(fields.text ?? "").trim() === "") return [];
  const calls = type === "tool_use" || type === "server_tool_use" || block.input.length > 0;
  if (!calls) return [JSON.stringify(fields)];
  const { input: _, ...rest } = fields;
  if (type === "tool_use") Object.assign(rest, { id: block.id, name: wireName(textOfJson(fields.name)) });
  return [`${JSON.stringify(rest).slice(0, -1)},"input":${objectJson(inputText(block))}}`];
}

/**
 * Gives texts that stand in a longer one, asked for in their order, as pieces of it: engines keep the characters of both
 * once then, and the arguments of calls are most of what a long conversation holds.
 */
function createPieces(whole: string): (text: string) => string {
  let at = 0;
  return (text) => {
    const found = at < 0 ? -1 : whole.indexOf(text, at);
    // Arguments whose names were restored stand nowhere: one search that found nothing is the last.
    at = found < 0 ? -1 : found + text.length;
    if (found < 0) return text;
    return whole.slice(found, at);
  };
}

function neutralBlock(
  block: OpenBlock,
  request: EncodedRequest,
  pieceOf: (text: string) => string,
): AssistantMessage["content"] {
  const { fields, type } = block;
  if (type === "text") return fields.text ? [{ type: "text", text: textOfJson(fields.text) }] : [];
  if (type === "thinking") return [{ type: "thinking", text: textOfJson(fields.thinking ?? "") }];
  if (type !== "tool_use") return [];
  const name = textOfJson(fields.name);
  const input = pieceOf(request.tools.restore(name, inputText(block)));
  return [{ type: "tool_call", id: block.id, name, input }];
}
