import type { Message } from "../../types/message.ts";
import type { ModelEvent, ModelRequest } from "../../types/model.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject, own } from "../../util/own.ts";
import type { EncodedRequest } from "../wire/model.ts";

/** Asks the API why it did not find a prompt in its cache, and says so once for each cause of a conversation. */
export interface CacheDiagnosis {
  /** The member to put at the end of a request's body, with its comma; empty for the first request. */
  member(request: ModelRequest): string;
  /** Remembers which conversation a request is of. */
  sent(encoded: EncodedRequest, request: ModelRequest): void;
  /** What to tell about an answer's `diagnostics`. */
  explain(encoded: EncodedRequest, diagnostics: unknown): ModelEvent[];
  /** The whole answer has this id: the next request is compared with its request. */
  answered(encoded: EncodedRequest, id: unknown): void;
  /** Stops asking; false when it was stopped before. */
  stop(): boolean;
}

/** What is kept of a conversation, which is known by the identity of its first message. */
interface Conversation {
  previous: string | null;
  readonly told: Set<string>;
}

/** Prompts whose repetition costs less than this are nobody's concern. */
const leastTokens = 1_000;

const causes: Readonly<Record<string, string>> = {
  model_changed: "the model changed",
  system_changed: "the system prompt changed",
  tools_changed: "the list of tools changed",
  messages_changed: "an earlier message changed",
};

export function createCacheDiagnosis(): CacheDiagnosis {
  const conversations = new WeakMap<Message, Conversation>();
  const requests = new WeakMap<EncodedRequest, Conversation>();
  let asking = true;
  const conversationOf = ({ messages: [first] }: ModelRequest): Conversation => {
    const known = first === undefined ? undefined : conversations.get(first);
    const conversation = known ?? { previous: null, told: new Set<string>() };
    if (first !== undefined) conversations.set(first, conversation);
    return conversation;
  };
  return {
    member(request) {
      const { previous } = conversationOf(request);
      if (!asking || previous === null) return "";
      return `,"diagnostics":{"previous_message_id":${JSON.stringify(previous)}}`;
    },
    sent(encoded, request) {
      requests.set(encoded, conversationOf(request));
    },
    explain(encoded, diagnostics) {
      const told = requests.get(encoded)?.told;
      const reason = isObject(diagnostics) ? diagnostics.cache_miss_reason : null;
      if (told === undefined || !isObject(reason)) return [];
      const { type, cache_missed_input_tokens: tokens } = reason;
      const cause = own(causes, textOfJson(type));
      if (cause === undefined || told.has(cause) || !(Number(tokens) >= leastTokens)) return [];
      told.add(cause);
      const text = `About ${tokens} tokens of the conversation were not read from the prompt cache: ${cause}.`;
      return [{ type: "warning", code: "cache_miss", text }];
    },
    answered(encoded, id) {
      const conversation = requests.get(encoded);
      if (conversation !== undefined && typeof id === "string") conversation.previous = id;
    },
    stop() {
      const was = asking;
      asking = false;
      return was;
    },
  };
}
