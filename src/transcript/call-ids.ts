import type { AssistantMessage, Message, ToolCallBlock } from "../types/message.ts";

/** The calls of a message, in order; none for a user's. */
export function callsOf(message: Message): readonly ToolCallBlock[] {
  if (message.role === "user") return [];
  return message.content.filter((block) => block.type === "tool_call");
}

/**
 * The message with every call id unique in the transcript, as the APIs demand. A turn whose ids had to be changed
 * is no longer the provider's own, so its native form is dropped and it is rebuilt from the neutral one.
 */
export function withUniqueCallIds(message: AssistantMessage, used: ReadonlySet<string>): AssistantMessage {
  const seen = new Set<string>();
  let renamed = false;
  const content = message.content.map((block) => {
    if (block.type !== "tool_call") return block;
    const id =
      block.id !== "" && !used.has(block.id) && !seen.has(block.id) ? block.id : freeId(block.id, used, seen);
    seen.add(id);
    if (id === block.id) return block;
    renamed = true;
    return { ...block, id };
  });
  return renamed ? { role: "assistant", content } : message;
}

function freeId(id: string, used: ReadonlySet<string>, seen: ReadonlySet<string>): string {
  const stem = id === "" ? "call" : id;
  for (let number = 2; ; number += 1) {
    const candidate = `${stem}_${number}`;
    if (!used.has(candidate) && !seen.has(candidate)) return candidate;
  }
}
