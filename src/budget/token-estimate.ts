import type { TokenBounds } from "../types/context.ts";
import type { ImageBlock, Message, TextBlock, ToolResultBlock } from "../types/message.ts";
import type { ModelRequest } from "../types/model.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { utf8Length } from "../util/utf8.ts";

/** What decides how many tokens a request has. */
type Counted = Pick<ModelRequest, "system" | "snapshot" | "messages">;

/** Guesses the tokens of one conversation's requests, and learns from what the API counted. */
export interface TokenEstimator {
  /** Costs what is new since the last count. */
  bounds(request: Counted): TokenBounds;
  /** Takes what the API counted of a request. */
  learn(request: Counted, tokens: number): void;
  /** The last count says nothing any more: messages were changed, or another model answers. */
  forget(): void;
  /** Likely tokens of a result. */
  ofResult(block: ToolResultBlock): number;
}

/** A count of the API, and what of the conversation it was about. */
interface Known {
  readonly tokens: number;
  /** The same by its bytes. */
  readonly raw: number;
  readonly messages: number;
  readonly last: Message | undefined;
  readonly snapshot: ToolSnapshot;
}

/** Most texts have three to five bytes a token. */
const bytesPerToken = 4;
/** What the APIs take for a picture of usual size. */
const imageTokens = 1500;
/** Names, ids and marks around a block. */
const blockBytes = 60;

/** How far an estimate may be off: without any count, with a ratio learned, and for what came behind a count. */
const unknown = { least: 0.4, most: 2.5 };
const learned = { least: 0.8, most: 1.3 };
const behind = { least: 0.6, most: 1.7 };

/** In a shorter request what an API adds by itself counts for more than the texts. */
const telling = 1000;

export function createTokenEstimator(): TokenEstimator {
  let known: Known | null = null;
  /** Tokens that the API counted for one token of ours; 0 before it has. */
  let ratio = 0;

  function bounds({ system, snapshot, messages }: Counted): TokenBounds {
    const factor = ratio === 0 ? 1 : ratio;
    if (known !== null && messages[known.messages - 1] === known.last) {
      const added =
        rawOf(messages, known.messages) +
        (snapshot === known.snapshot ? 0 : rawOfTools(snapshot) - rawOfTools(known.snapshot));
      return spread(known.tokens, added * factor, ratio === 0 ? unknown : behind);
    }
    const raw = rawOf(messages, 0) + rawOfTools(snapshot) + utf8Length(system) / bytesPerToken;
    return spread(0, raw * factor, ratio === 0 ? unknown : learned);
  }

  return {
    bounds,
    learn({ system, snapshot, messages }, tokens) {
      const continues = known !== null && messages[known.messages - 1] === known.last;
      const before =
        known !== null && continues
          ? known.raw - rawOfTools(known.snapshot) + rawOf(messages, known.messages)
          : rawOf(messages, 0) + utf8Length(system) / bytesPerToken;
      const raw = before + rawOfTools(snapshot);
      if (raw >= telling) ratio = Math.min(2.5, Math.max(0.5, tokens / raw));
      known = { tokens, raw, messages: messages.length, last: messages.at(-1), snapshot };
    },
    forget() {
      known = null;
    },
    ofResult: (block) => rawOfResult(block) * (ratio === 0 ? 1 : ratio),
  };
}

function spread(sure: number, guessed: number, off: { least: number; most: number }): TokenBounds {
  return {
    least: Math.max(0, Math.floor(sure + guessed * off.least)),
    likely: Math.max(0, Math.round(sure + guessed)),
    most: Math.max(0, Math.ceil(sure + guessed * off.most)),
  };
}

const messageSizes = new WeakMap<Message, number>();
const toolSizes = new WeakMap<ToolSnapshot, number>();

function rawOf(messages: readonly Message[], from: number): number {
  let raw = 0;
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index];
    if (message !== undefined) raw += rawOfMessage(message);
  }
  return raw;
}

function rawOfMessage(message: Message): number {
  const measured = messageSizes.get(message);
  if (measured !== undefined) return measured;
  const native = message.role === "assistant" ? message.native : undefined;
  let raw = native === undefined ? 0 : utf8Length(native.json) / bytesPerToken;
  if (native === undefined) for (const block of message.content) raw += rawOfBlock(block);
  messageSizes.set(message, raw);
  return raw;
}

function rawOfBlock(block: Message["content"][number]): number {
  switch (block.type) {
    case "tool_result":
      return rawOfResult(block);
    case "tool_call":
      return (utf8Length(block.input) + utf8Length(block.name) + blockBytes) / bytesPerToken;
    case "thinking":
      return 0;
    default:
      return rawOfShown(block);
  }
}

function rawOfResult({ content }: ToolResultBlock): number {
  return content.reduce((raw, block) => raw + rawOfShown(block), blockBytes / bytesPerToken);
}

function rawOfShown(block: TextBlock | ImageBlock): number {
  return block.type === "image" ? imageTokens : (utf8Length(block.text) + blockBytes / 2) / bytesPerToken;
}

function rawOfTools(snapshot: ToolSnapshot): number {
  const measured = toolSizes.get(snapshot);
  if (measured !== undefined) return measured;
  let bytes = 0;
  for (const { alias, definition } of snapshot.tools) {
    const { description, inputSchema } = definition;
    bytes += utf8Length(alias) + utf8Length(description) + utf8Length(JSON.stringify(inputSchema));
    bytes += blockBytes;
  }
  toolSizes.set(snapshot, bytes / bytesPerToken);
  return bytes / bytesPerToken;
}
