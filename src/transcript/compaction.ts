import type { Message, ToolResultBlock, UserMessage } from "../types/message.ts";
import { count } from "../util/one-line.ts";
import { utf8Length } from "../util/utf8.ts";

/** What stands for a result towards the model. */
export interface LeftOutResult {
  readonly callId: string;
  readonly text: string;
}

/**
 * A conversation as the model gets it: short texts stand for the results that were left out. The messages themselves
 * stay as they are. Between two calls of `leaveOut` what was given out once stays the same, by identity.
 */
export interface CompactedMessages {
  view(messages: readonly Message[]): readonly Message[];
  leaveOut(results: readonly LeftOutResult[]): void;
}

/** A shorter text would hardly be longer than what stands for it. */
const leastBytes = 1024;

export function createCompactedMessages(earlier: readonly LeftOutResult[] = []): CompactedMessages {
  const texts = new Map(earlier.map(({ callId, text }) => [callId, text]));
  let made: Message[] = [];
  /** The last message that `made` was made of: another one there is another conversation. */
  let last: Message | undefined;
  return {
    view(messages) {
      if (texts.size === 0) return messages;
      if (messages.length < made.length || messages[made.length - 1] !== last) made = [];
      for (let index = made.length; index < messages.length; index += 1) {
        const message = messages[index];
        if (message !== undefined) made.push(withTexts(message, texts));
      }
      last = messages[made.length - 1];
      return made;
    },
    leaveOut(results) {
      for (const { callId, text } of results) texts.set(callId, text);
      made = [];
    },
  };
}

function withTexts(message: Message, texts: ReadonlyMap<string, string>): Message {
  if (message.role === "assistant") return message;
  let changed = false;
  const content = message.content.map((block): UserMessage["content"][number] => {
    const text = block.type === "tool_result" ? texts.get(block.callId) : undefined;
    if (block.type !== "tool_result" || text === undefined) return block;
    changed = true;
    return { ...block, content: [{ type: "text", text }] };
  });
  return changed ? { role: "user", content } : message;
}

/**
 * The results that may be left out of what the model gets, oldest first: large ones, and never those of the newest
 * message that has results. Those that were left out already are small.
 */
export function oldResults(view: readonly Message[]): readonly ToolResultBlock[] {
  const newest = view.findLastIndex(hasResults);
  return view.slice(0, Math.max(0, newest)).flatMap(largeResults);
}

/** The large results of the newest message that has results, the largest first. */
export function newestResults(
  view: readonly Message[],
  tokensOf: (block: ToolResultBlock) => number,
): readonly ToolResultBlock[] {
  const newest = view.findLast(hasResults);
  return newest === undefined ? [] : largeResults(newest).sort((a, b) => tokensOf(b) - tokensOf(a));
}

function largeResults({ content }: Message): ToolResultBlock[] {
  return content.filter((block) => block.type === "tool_result").filter(isLarge);
}

function hasResults({ content }: Message): boolean {
  return content.some((block) => block.type === "tool_result");
}

function isLarge({ content }: ToolResultBlock): boolean {
  let bytes = 0;
  for (const block of content) {
    if (block.type === "image") return true;
    bytes += utf8Length(block.text);
  }
  return bytes >= leastBytes;
}

/** As many of the first results as are needed to be rid of so many tokens. */
export function firstResults(
  results: readonly ToolResultBlock[],
  tokens: number,
  tokensOf: (block: ToolResultBlock) => number,
): readonly ToolResultBlock[] {
  let freed = 0;
  let taken = 0;
  for (; taken < results.length && freed < tokens; taken += 1) {
    const block = results[taken];
    if (block !== undefined) freed += tokensOf(block);
  }
  return results.slice(0, taken);
}

/** The whole text of a result; empty for one of pictures. */
export function textOfResult({ content }: ToolResultBlock): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/**
 * What stands for a result: how large it was, and `kept`, which says how it can be read, as the end of a sentence. Of one that
 * the model has not seen yet it says that there is too little room for all of it.
 */
export function leftOutText(block: ToolResultBlock, kept: string | null, isNewest = false): string {
  const text = textOfResult(block);
  const images = block.content.filter(({ type }) => type === "image").length;
  const pictures =
    images === 0 ? "" : ` ${images === 1 ? "An image" : `${images} images`} of it cannot be seen any more.`;
  const words = kept === null ? "" : ` ${count(utf8Length(text))} bytes of text ${kept}.`;
  const why = isNewest
    ? "This result was left out: the conversation has no room for all of it. Read only a small part at a time."
    : "This earlier result was left out, to make room in the conversation.";
  return `[${why}${words}${pictures}]`;
}
