import type { AssistantMessage, ImageBlock, Message, TextBlock, UserMessage } from "../../types/message.ts";
import { emptyError, emptyResult } from "../../util/empty-result.ts";
import { plainCallIds, wireName } from "../wire/call-id.ts";
import type { EncodedMessage } from "../wire/history.ts";
import type { ImageGate, ImageLimits } from "../wire/image-gate.ts";
import { encodeJson, objectJson } from "../wire/json-bytes.ts";
import { nativeItems } from "./turn.ts";

/** Of the API's 500 images and 50 MB of a request, with room for everything else. */
export const imageLimits: ImageLimits = {
  most: 250,
  characters: 40 * 1024 * 1024,
  large: { count: Number.POSITIVE_INFINITY, pixels: Number.POSITIVE_INFINITY },
};

/** Most characters of a result's text: the API takes no longer string (`string_above_max_length`). */
const longestText = 10_000_000;

/** One item of the input, and what of the host's message it is made of. */
export interface InputItem {
  readonly json: string;
  /** Index of a block in the message's content; null for an item that goes back as the model wrote it. */
  readonly block: number | null;
  /** Of each part of the item: the index of its block, or of a result's own part. */
  readonly parts: readonly number[];
}

/** The message in the API's form, or null when nothing of it can be sent. */
export function encodeMessage(message: Message, model: string, gate: ImageGate): EncodedMessage | null {
  const items = inputItems(message, model, gate);
  if (items.length === 0) return null;
  return {
    role: message.role,
    bytes: encodeJson(items.map(({ json }) => `,${json}`).join("")),
    callIds: new Set(message.role === "user" ? [] : sentIds(message, model)),
  };
}

/** The items of a message, in the order in which they are sent. */
export function inputItems(message: Message, model: string, gate: ImageGate): InputItem[] {
  if (message.role === "user") return userItems(message, gate);
  const native = nativeItems(message, model);
  return native === null
    ? rebuiltItems(message)
    : native.map((item) => ({ json: JSON.stringify(item), block: null, parts: [] }));
}

/** Ids of calls and of items: none may come twice in a request. */
function sentIds(message: AssistantMessage, model: string): string[] {
  const calls = message.content.flatMap((block) =>
    block.type === "tool_call" ? [plainCallIds.wireId(block.id)] : [],
  );
  const items = nativeItems(message, model) ?? [];
  return [...calls, ...items.flatMap(({ id }) => (typeof id === "string" ? [id] : []))];
}

interface Part {
  readonly json: string;
  /** Of a part that is text. */
  readonly text: string | null;
  readonly index: number;
}

/** Results first, one item each; then one message with everything else. */
function userItems(message: UserMessage, gate: ImageGate): InputItem[] {
  const results: InputItem[] = [];
  for (const [block, one] of message.content.entries()) {
    if (one.type !== "tool_result") continue;
    const shown = one.content.flatMap((inner, index) => partOf(inner, index, gate));
    const parts = one.isError ? markedAsError(shown) : shown;
    const texts = parts.flatMap(({ text }) => (text === null ? [] : [text]));
    // A text alone is the smaller form, and the one that every server of this API takes.
    const output =
      texts.length === parts.length
        ? JSON.stringify(bounded(texts.join("\n") || emptyResult))
        : `[${parts.map(({ json }) => json).join(",")}]`;
    const id = plainCallIds.wireId(one.callId);
    results.push({
      json: `{"type":"function_call_output","call_id":${JSON.stringify(id)},"output":${output}}`,
      block,
      parts: texts.length === parts.length ? [] : parts.map(({ index }) => index),
    });
  }
  const others = message.content.flatMap((block, index) =>
    block.type === "tool_result" ? [] : partOf(block, index, gate),
  );
  const [firstOther] = others;
  if (firstOther === undefined) return results;
  const content = others.map(({ json }) => json).join(",");
  const json = `{"type":"message","role":"user","content":[${content}]}`;
  return [...results, { json, block: firstOther.index, parts: others.map(({ index }) => index) }];
}

/** The API has no field for a failure: the first text says so. */
function markedAsError(parts: readonly Part[]): Part[] {
  const at = parts.findIndex(({ text }) => text !== null);
  const first = parts[at];
  if (first === undefined) return [textPart(`ERROR: ${emptyError}`, 0), ...parts];
  return parts.with(at, textPart(`ERROR: ${first.text}`, first.index));
}

function partOf(block: TextBlock | ImageBlock, index: number, gate: ImageGate): Part[] {
  if (block.type === "text") return block.text.trim() === "" ? [] : [textPart(bounded(block.text), index)];
  if (block.data === "") return [];
  const reason = gate.leaveOut(block);
  if (reason !== null) return [textPart(`[Image left out: ${reason}.]`, index)];
  const url = `data:${block.mediaType};base64,${block.data}`;
  return [{ json: `{"type":"input_image","image_url":"${url}","detail":"auto"}`, text: null, index }];
}

function textPart(text: string, index: number): Part {
  return { json: `{"type":"input_text","text":${JSON.stringify(text)}}`, text, index };
}

function bounded(text: string): string {
  const over = text.length - longestText;
  return over <= 0
    ? text
    : `${text.slice(0, longestText)}\n[${over} characters left out: the API takes no longer text.]`;
}

/** A turn of another model, told again without what only that model can read. */
function rebuiltItems({ content }: AssistantMessage): InputItem[] {
  return content.flatMap((block, index): InputItem[] => {
    if (block.type === "text" && block.text.trim() !== "") {
      const part = `{"type":"output_text","text":${JSON.stringify(block.text)}}`;
      const json = `{"type":"message","role":"assistant","content":[${part}]}`;
      return [{ json, block: index, parts: [index] }];
    }
    if (block.type !== "tool_call") return [];
    const { id, name, input } = block;
    const json =
      `{"type":"function_call","call_id":${JSON.stringify(plainCallIds.wireId(id))},` +
      `"name":"${wireName(name)}","arguments":${JSON.stringify(objectJson(input))}}`;
    return [{ json, block: index, parts: [] }];
  });
}
