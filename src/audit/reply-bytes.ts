import type { Json } from "../types/json.ts";
import type { CallReply, ServerBlock } from "../types/outcome.ts";
import { utf8Length } from "../util/utf8.ts";

function textBytes(text: string | undefined): number {
  return text === undefined ? 0 : utf8Length(text);
}

function blockBytes(block: ServerBlock): number {
  switch (block.type) {
    case "text":
      return textBytes(block.text);
    case "image":
    case "audio":
      return block.data.length;
    case "resource_link":
      return textBytes(block.uri) + textBytes(block.description);
    case "resource":
      return textBytes(block.uri) + textBytes(block.text) + (block.blob?.length ?? 0);
    case "unknown":
      return textBytes(block.summary);
  }
}

/** Bytes of the texts, keys and numbers of a JSON value, without its punctuation; no recursion. */
function jsonBytes(value: Json): number {
  let bytes = 0;
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") bytes += textBytes(next);
    else if (typeof next !== "object" || next === null) bytes += String(next).length;
    else if (Array.isArray(next)) for (const member of next) pending.push(member);
    else {
      for (const [key, member] of Object.entries(next)) {
        bytes += textBytes(key);
        pending.push(member);
      }
    }
  }
  return bytes;
}

/** Size of what a server answered, in bytes: the payload of every block (base64 as it came) and the structured content. */
export function replyBytes(reply: CallReply): number {
  const blocks = reply.content.reduce((sum, block) => sum + blockBytes(block), 0);
  return reply.structuredContent === undefined ? blocks : blocks + jsonBytes(reply.structuredContent);
}
