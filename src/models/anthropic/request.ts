import type { Message } from "../../types/message.ts";
import type { ModelRequest } from "../../types/model.ts";
import { closing, type EncodedMessage, encodeMessage } from "./message.ts";
import { type EncodedTools, encodeTools } from "./tools.ts";
import { encodeJson } from "./wire-json.ts";

/** A request body, in pieces that are sent one after the other. */
export interface EncodedRequest {
  readonly chunks: readonly Uint8Array[];
  readonly tools: EncodedTools;
  /** Whether a call in the conversation has this id. */
  hasCall(id: string): boolean;
}

/** Turns requests into bodies of the Messages API. */
export type RequestEncoder = (request: ModelRequest) => EncodedRequest;

const breakpoint = encodeJson(',"cache_control":{"type":"ephemeral"}');
const end = encodeJson("]}");

/**
 * An encoder for one model. Every message is serialised once in its life, by its identity: a turn costs what is new
 * in it, whatever the length of the conversation. Cache breakpoints are on the last tool and on the last block of the
 * two newest user messages, so that a turn with many results still finds the prefix of the turn before.
 */
export function createRequestEncoder(model: string): RequestEncoder {
  const known = new WeakMap<Message, EncodedMessage | "nothing">();
  const encode = (message: Message): EncodedMessage | "nothing" => {
    const found = known.get(message);
    if (found !== undefined) return found;
    const made = encodeMessage(message, model) ?? "nothing";
    known.set(message, made);
    return made;
  };
  return (request) => {
    const tools = encodeTools(request.snapshot);
    const messages: EncodedMessage[] = [];
    for (const message of request.messages) {
      const encoded = encode(message);
      if (encoded !== "nothing") messages.push(encoded);
    }
    const marked = newestUserMessages(messages);
    const chunks = [
      encodeJson(head(model, request.maxTokens)),
      tools.bytes,
      encodeJson(system(request.system)),
    ];
    for (const [index, message] of messages.entries()) {
      // The first message has no separator in front of it.
      const bytes = index === 0 ? message.bytes.subarray(1) : message.bytes;
      if (marked.has(message)) {
        const cut = bytes.length - closing.length;
        chunks.push(bytes.subarray(0, cut), breakpoint, bytes.subarray(cut));
      } else chunks.push(bytes);
    }
    chunks.push(end);
    return { chunks, tools, hasCall: (id) => messages.some((message) => message.callIds.has(id)) };
  };
}

function head(model: string, maxTokens: number): string {
  return `{"model":${JSON.stringify(model)},"max_tokens":${maxTokens},"stream":true,`;
}

function system(text: string): string {
  const blocks = text.trim() === "" ? "" : `"system":[{"type":"text","text":${JSON.stringify(text)}}],`;
  return `${blocks}"messages":[`;
}

function newestUserMessages(messages: readonly EncodedMessage[]): ReadonlySet<EncodedMessage> {
  const found = new Set<EncodedMessage>();
  for (let index = messages.length - 1; index >= 0 && found.size < 2; index -= 1) {
    const message = messages[index];
    if (message?.role === "user") found.add(message);
  }
  return found;
}
