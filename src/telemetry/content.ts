import type { RunInput } from "../types/host.ts";
import type { AssistantMessage } from "../types/message.ts";
import type { CallReply } from "../types/outcome.ts";

/** One message in the form of `gen_ai.input.messages` and `gen_ai.output.messages` (GenAI conventions, JSON schemas). */
interface SpanMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  readonly finish_reason?: string;
}

/** The person's words as JSON text; pictures are only named. */
export function inputMessages(input: RunInput): string {
  const blocks = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
  const parts = blocks.map((block) =>
    block.type === "text"
      ? { type: "text", content: block.text }
      : { type: "image", mime_type: block.mediaType },
  );
  return textOf([{ role: "user", parts }]);
}

/** An answer as JSON text. */
export function outputMessages(message: AssistantMessage, finishReason?: string): string {
  const parts = message.content.map((block) => {
    if (block.type === "tool_call")
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.input };
    return { type: block.type === "thinking" ? "reasoning" : "text", content: block.text };
  });
  const finished = finishReason === undefined ? {} : { finish_reason: finishReason };
  return textOf([{ role: "assistant", parts, ...finished }]);
}

/** A tool's result as JSON text: its words and its structured content; what else there is only by its kind. */
export function resultText({ content, structuredContent }: CallReply): string {
  const blocks = content.map((block) =>
    block.type === "text" ? { type: "text", text: block.text } : { type: block.type },
  );
  const structured = structuredContent === undefined ? {} : { structuredContent };
  return JSON.stringify({ content: blocks, ...structured });
}

function textOf(messages: readonly SpanMessage[]): string {
  return JSON.stringify(messages);
}
