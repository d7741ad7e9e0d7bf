import type { Message, ToolCallBlock, ToolResultBlock, UserMessage } from "../types/message.ts";
import { callsOf } from "./call-ids.ts";

const unanswered =
  "The conversation stopped before this call was answered. It is not known whether it ran; do not assume that it did.";

/** What a conversation whose beginning was cut off starts with: the APIs want the first word to be the person's. */
const beginningLost = "(The beginning of this conversation was not kept.)";

/** The result that stands in for one that was never written. */
export function missingResult(call: ToolCallBlock, text: string = unanswered): ToolResultBlock {
  return { type: "tool_result", callId: call.id, content: [{ type: "text", text }], isError: true };
}

/** Gives a call that was left open its result. */
export type AnswerOpenCall = (call: ToolCallBlock) => ToolResultBlock;

/**
 * A stored conversation made valid: every call has exactly one result, in the next user message, in call order and
 * before other content; results of no call are dropped, and so are messages with nothing in them. The first one is the
 * person's.
 */
export function repairMessages(
  messages: readonly Message[],
  answer: AnswerOpenCall = (call) => missingResult(call),
): readonly Message[] {
  const repaired: Message[] = [];
  for (const message of messages) {
    const open = callsOf(repaired.at(-1) ?? { role: "user", content: [] });
    if (message.role === "assistant") {
      if (open.length > 0) repaired.push({ role: "user", content: open.map(answer) });
      if (message.content.length > 0 || message.native !== undefined) repaired.push(message);
      continue;
    }
    const answered = open.length > 0 || hasResults(message) ? withResults(message, open, answer) : message;
    if (!answered.content.every(isBlank)) repaired.push(answered);
  }
  const open = callsOf(repaired.at(-1) ?? { role: "user", content: [] });
  if (open.length > 0) repaired.push({ role: "user", content: open.map(answer) });
  if (repaired[0]?.role === "assistant") {
    repaired.unshift({ role: "user", content: [{ type: "text", text: beginningLost }] });
  }
  return repaired;
}

/** A text of white space is no content for any API. */
function isBlank(block: UserMessage["content"][number]): boolean {
  return block.type === "text" && block.text.trim() === "";
}

function hasResults(message: UserMessage): boolean {
  return message.content.some((block) => block.type === "tool_result");
}

/** The message with exactly the results of `open` first; itself when it is so already. */
function withResults(
  message: UserMessage,
  open: readonly ToolCallBlock[],
  answer: AnswerOpenCall,
): UserMessage {
  const found = new Map<string, ToolResultBlock>();
  for (const block of message.content) {
    if (block.type === "tool_result" && !found.has(block.callId)) found.set(block.callId, block);
  }
  const results = open.map((call) => found.get(call.id) ?? answer(call));
  const content = [...results, ...message.content.filter((block) => block.type !== "tool_result")];
  const same =
    content.length === message.content.length &&
    content.every((block, index) => block === message.content[index]);
  return same ? message : { role: "user", content };
}
