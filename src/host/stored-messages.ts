import { HostError } from "../errors.ts";
import { readImage } from "../results/image.ts";
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  NativeTurn,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserMessage,
} from "../types/message.ts";
import { isObject } from "../util/own.ts";

type Stored = Readonly<Record<string, unknown>>;

/**
 * Messages as a program kept them, which may have been cut, edited or written by something else. What is no message and
 * no block is left out, and so is a call whose id was there before; a message that is whole stays the same object.
 * @throws HostError `input_invalid` when it is no list
 */
export function readStoredMessages(stored: unknown): readonly Message[] {
  if (!Array.isArray(stored)) {
    throw new HostError(
      "input_invalid",
      "The transcript is no list of messages; pass what `result.messages` gave.",
    );
  }
  const callIds = new Set<string>();
  return stored.flatMap((message: unknown): Message[] => {
    if (!isObject(message)) return [];
    if (message.role === "user") return [readUser(message)];
    return message.role === "assistant" ? [readAssistant(message, callIds)] : [];
  });
}

function readUser(message: Stored): UserMessage {
  const content = readAll(message.content, (block) => readResult(block) ?? readShown(block));
  return content === message.content ? (message as unknown as UserMessage) : { role: "user", content };
}

/** The provider's own form counts only as long as it says the same as the message. */
function readAssistant(message: Stored, callIds: Set<string>): AssistantMessage {
  const content = readAll(
    message.content,
    (block) => readText(block) ?? readThinking(block) ?? readCall(block, callIds),
  );
  const native = readNative(message.native, content);
  const whole = content === message.content && (native ?? undefined) === message.native;
  if (whole) return message as unknown as AssistantMessage;
  return { role: "assistant", content, ...(native === null ? {} : { native }) };
}

/** The same list when every block of it is whole. A text alone is a list of it. */
function readAll<B>(content: unknown, read: (block: Stored) => B | null): readonly B[] {
  const blocks: unknown = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return [];
  const kept = blocks.map((block: unknown) => (isObject(block) ? read(block) : null));
  return kept.every((block, index) => block !== null && block === blocks[index])
    ? blocks
    : kept.filter((block) => block !== null);
}

function readText(block: Stored): TextBlock | null {
  return block.type === "text" && typeof block.text === "string" ? (block as unknown as TextBlock) : null;
}

function readThinking(block: Stored): ThinkingBlock | null {
  return block.type === "thinking" && typeof block.text === "string"
    ? (block as unknown as ThinkingBlock)
    : null;
}

function readShown(block: Stored): TextBlock | ImageBlock | null {
  if (block.type !== "image" || typeof block.data !== "string") return readText(block);
  const read = readImage(block.data, String(block.mediaType));
  if (read.type === "refused") return { type: "text", text: `[Image left out: ${read.reason}]` };
  const same = read.image.data === block.data && read.image.mediaType === block.mediaType;
  return same ? (block as unknown as ImageBlock) : read.image;
}

function readCall(block: Stored, callIds: Set<string>): ToolCallBlock | null {
  const { type, id, name, input } = block;
  if (type !== "tool_call" || typeof id !== "string" || id === "" || callIds.has(id)) return null;
  if (typeof name !== "string" || typeof input !== "string") return null;
  callIds.add(id);
  return block as unknown as ToolCallBlock;
}

function readResult(block: Stored): ToolResultBlock | null {
  const { type, callId, isError } = block;
  if (type !== "tool_result" || typeof callId !== "string") return null;
  const content = readAll(block.content, readShown);
  const whole = content === block.content && typeof isError === "boolean";
  return whole
    ? (block as unknown as ToolResultBlock)
    : { type: "tool_result", callId, content, isError: isError === true };
}

function readNative(native: unknown, content: AssistantMessage["content"]): NativeTurn | null {
  if (!isObject(native)) return null;
  const { api, model, json } = native;
  if (typeof api !== "string" || typeof model !== "string" || typeof json !== "string") return null;
  const ids = content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
  const nativeIds = nativeCallIds(json);
  return JSON.stringify(nativeIds) === JSON.stringify(ids) ? (native as unknown as NativeTurn) : null;
}

/** The ids of the calls in the provider's form, or null when it is no list of blocks. */
function nativeCallIds(json: string): unknown[] | null {
  try {
    const blocks: unknown = JSON.parse(json);
    if (!Array.isArray(blocks) || !blocks.every(isObject)) return null;
    return blocks.flatMap(idsOfBlock);
  } catch {
    return null;
  }
}

/** In the words of each API: a block, an item beside the message, or a list inside it. */
function idsOfBlock(block: Stored): unknown[] {
  if (block.type === "tool_use") return [block.id];
  if (block.type === "function_call") return [block.call_id];
  if (!Array.isArray(block.tool_calls)) return [];
  return block.tool_calls.map((call: unknown) => (isObject(call) ? call.id : null));
}
