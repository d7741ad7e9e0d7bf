import type { AssistantMessage, ImageBlock, Message, TextBlock, UserMessage } from "../../types/message.ts";

/** Where a block of a sent message comes from. */
export interface Origin {
  /** Index in the content of the host's message. */
  readonly block: number;
  /** Index inside a tool result, for a block that was taken out of it. */
  readonly part: number | null;
  /** Of a tool result: the index of each block that was sent inside it. */
  readonly parts: readonly number[];
}

/**
 * The origin of every block of a message as `encodeMessage` sends it, in its order; empty when nothing of it is sent.
 * Null for a turn that goes back as the model wrote it.
 */
export function originsOf(message: Message, model: string): readonly Origin[] | null {
  return message.role === "user" ? userOrigins(message) : assistantOrigins(message, model);
}

const isSent = (block: TextBlock | ImageBlock): boolean =>
  block.type === "text" ? block.text.trim() !== "" : block.data !== "";

function userOrigins({ content }: UserMessage): Origin[] {
  const results: Origin[] = [];
  const pictures: Origin[] = [];
  const others: Origin[] = [];
  for (const [block, one] of content.entries()) {
    if (one.type !== "tool_result") {
      if (isSent(one)) others.push({ block, part: null, parts: [] });
      continue;
    }
    const sent = one.content.flatMap((inner, part) => (isSent(inner) ? [{ type: inner.type, part }] : []));
    const moved = sent.filter(({ type }) => one.isError && type === "image");
    const parts = sent.filter((inner) => !moved.includes(inner)).map(({ part }) => part);
    results.push({ block, part: null, parts });
    pictures.push(...moved.map(({ part }) => ({ block, part, parts: [] })));
  }
  return [...results, ...pictures, ...others];
}

function assistantOrigins({ content, native }: AssistantMessage, model: string): Origin[] | null {
  if (native !== undefined && native.api === "anthropic" && native.model === model) {
    return native.json === "[]" ? [] : null;
  }
  return content.flatMap((one, block) =>
    one.type === "tool_call" || (one.type === "text" && isSent(one))
      ? [{ block, part: null, parts: [] }]
      : [],
  );
}
