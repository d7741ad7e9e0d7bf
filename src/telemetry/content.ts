import type { RunInput } from "../types/host.ts";
import type { JsonObject } from "../types/json.ts";
import type { AssistantMessage } from "../types/message.ts";
import type { CallReply } from "../types/outcome.ts";

/** One message in the form of `gen_ai.input.messages` and `gen_ai.output.messages` (GenAI conventions, JSON schemas). */
interface SpanMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  readonly finish_reason?: string;
}

/** Replaces secrets in one text. What is written as JSON goes through it before, while the text stands as it was said. */
type Redact = (text: string) => string;

/** The person's words as JSON text; pictures are only named. */
export function inputMessages(input: RunInput, redact: Redact): string {
  const blocks = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
  const parts = blocks.map((block) =>
    block.type === "text"
      ? { type: "text", content: block.text }
      : { type: "image", mime_type: block.mediaType },
  );
  return jsonOf([{ role: "user", parts }] satisfies SpanMessage[], redact);
}

/** An answer as JSON text. */
export function outputMessages(message: AssistantMessage, redact: Redact, finishReason?: string): string {
  const parts = message.content.map((block) => {
    if (block.type === "tool_call")
      return { type: "tool_call", id: block.id, name: block.name, arguments: parsed(block.input) };
    return { type: block.type === "thinking" ? "reasoning" : "text", content: block.text };
  });
  const finished = finishReason === undefined ? {} : { finish_reason: finishReason };
  return jsonOf([{ role: "assistant", parts, ...finished }] satisfies SpanMessage[], redact);
}

/** A tool's result as JSON text: its words and its structured content; what else there is only by its kind. */
export function resultText({ content, structuredContent }: CallReply, redact: Redact): string {
  const blocks = content.map((block) =>
    block.type === "text" ? { type: "text", text: block.text } : { type: block.type },
  );
  const structured = structuredContent === undefined ? {} : { structuredContent };
  return jsonOf({ content: blocks, ...structured }, redact);
}

/** The arguments of a call as JSON text. */
export function argumentsText(args: JsonObject, redact: Redact): string {
  return jsonOf(args, redact);
}

/** The conventions want arguments as an object; what the model wrote may be none. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function jsonOf(value: object, redact: Redact): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "string" ? redact(member) : member,
  );
}
