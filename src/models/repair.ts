import type { AssistantMessage, Message, UserMessage } from "../types/message.ts";
import type { ModelRequest } from "../types/model.ts";
import type { ToolSnapshot } from "../types/tool.ts";

/** What of a request its API refused, in the host's own terms. Places are those of the request as it was asked. */
export type Culprit =
  | { readonly type: "tool"; readonly alias: string }
  /** A block of a message; `part` is a block inside a tool result. */
  | { readonly type: "block"; readonly message: number; readonly block: number; readonly part: number | null }
  /** This message of the model, and all behind it, cannot go back as the model wrote them. */
  | { readonly type: "native"; readonly message: number }
  /** Something that the adapter added itself, and will not send again. */
  | { readonly type: "own"; readonly what: string };

/** What was done about a refusal, for the person to know. */
interface Repair {
  readonly code: "tool_quarantined" | "block_replaced" | "turn_rewritten" | "request_field_dropped";
  readonly text: string;
}

/** Mends the requests of one model, each conversation for itself. */
export interface Repairer {
  /** The request without what was refused before; the same object when nothing was. */
  apply(request: ModelRequest): ModelRequest;
  /** Remembers what was refused; empty when nothing of it is new, so that asking again would be refused again. */
  learn(request: ModelRequest, culprits: readonly Culprit[]): readonly Repair[];
}

/** Most repairs of one conversation: past it a refusal is told, whatever it names. */
const mostRepairs = 64;

/** What is known of a conversation. */
interface Conversation {
  readonly quarantined: Set<string>;
  readonly replaced: Map<Message, Message>;
  /** Snapshots without the quarantined tools: made once, for adapters know a snapshot by its identity. */
  snapshots: WeakMap<ToolSnapshot, ToolSnapshot>;
  repairs: number;
}

/**
 * One tool or one block that an API refuses would make it refuse every request of the conversation. What it names is
 * kept out of the requests from then on: a tool altogether, a block by a text that says so. Messages themselves stay
 * as they are. A conversation is known by the identity of its first message.
 */
export function createRepairer(): Repairer {
  const conversations = new WeakMap<Message, Conversation>();
  return {
    apply(request) {
      const [first] = request.messages;
      const known = first === undefined ? undefined : conversations.get(first);
      return known === undefined ? request : mended(request, known);
    },
    learn(request, culprits) {
      const [first] = request.messages;
      if (first === undefined) return [];
      const known = conversations.get(first) ?? emptyConversation();
      conversations.set(first, known);
      return culprits.flatMap((culprit) => {
        if (known.repairs >= mostRepairs) return [];
        const repair = learnOne(request, culprit, known);
        known.repairs += repair === null ? 0 : 1;
        return repair === null ? [] : [repair];
      });
    },
  };
}

function emptyConversation(): Conversation {
  return { quarantined: new Set(), replaced: new Map(), snapshots: new WeakMap(), repairs: 0 };
}

function mended(request: ModelRequest, known: Conversation): ModelRequest {
  const { replaced, quarantined } = known;
  const messages =
    replaced.size === 0
      ? request.messages
      : request.messages.map((message) => replaced.get(message) ?? message);
  const snapshot = quarantined.size === 0 ? request.snapshot : withoutQuarantined(request.snapshot, known);
  return { ...request, messages, snapshot };
}

function withoutQuarantined(snapshot: ToolSnapshot, known: Conversation): ToolSnapshot {
  const made = known.snapshots.get(snapshot);
  if (made !== undefined) return made;
  const fits = (alias: string): boolean => !known.quarantined.has(alias);
  const tools = snapshot.tools.filter(({ alias }) => fits(alias));
  const byAlias = new Map([...snapshot.byAlias].filter(([alias]) => fits(alias)));
  const without = { ...snapshot, tools, byAlias };
  known.snapshots.set(snapshot, without);
  return without;
}

function learnOne(request: ModelRequest, culprit: Culprit, known: Conversation): Repair | null {
  switch (culprit.type) {
    case "tool":
      return quarantine(request.snapshot, culprit.alias, known);
    case "block":
      return replaceBlock(request, culprit, known);
    case "native":
      return rewriteTurns(request, culprit.message, known);
    default: {
      const text = `The API does not know ${culprit.what}: it is not sent any more.`;
      return { code: "request_field_dropped", text };
    }
  }
}

function quarantine(snapshot: ToolSnapshot, alias: string, known: Conversation): Repair | null {
  const tool = snapshot.byAlias.get(alias);
  if (tool === undefined || known.quarantined.has(alias)) return null;
  known.quarantined.add(alias);
  known.snapshots = new WeakMap();
  const { route } = tool;
  return {
    code: "tool_quarantined",
    text: `The model's API refuses the tool "${route.tool}" of the server "${route.server}": this conversation goes on without it.`,
  };
}

function replaceBlock(
  { messages }: ModelRequest,
  { message: index, block, part }: Extract<Culprit, { type: "block" }>,
  known: Conversation,
): Repair | null {
  const original = messages[index];
  if (original === undefined) return null;
  const current = known.replaced.get(original) ?? original;
  const next = current.role === "user" ? withoutBlock(current, block, part) : rewritten(current, block);
  if (next === null) return null;
  known.replaced.set(original, next);
  const what = part === null ? `block ${block + 1}` : `part ${part + 1} of block ${block + 1}`;
  return {
    code: "block_replaced",
    text: `The model's API refuses ${what} of message ${index + 1}: a text stands for it from now on.`,
  };
}

const leftOut = (what: string): string => `[Left out: the model's API refused this ${what}.]`;

/** The message with a text in place of the block; null when a text of ours was refused already. */
function withoutBlock(message: UserMessage, index: number, part: number | null): UserMessage | null {
  const block = message.content[index];
  if (block === undefined) return null;
  let instead: UserMessage["content"][number];
  if (block.type !== "tool_result") {
    const text = leftOut(block.type);
    if (block.type === "text" && block.text === text) return null;
    instead = { type: "text", text };
  } else if (part === null) {
    const text = leftOut("result");
    const [only] = block.content;
    if (block.content.length === 1 && only?.type === "text" && only.text === text) return null;
    instead = { ...block, content: [{ type: "text", text }] };
  } else {
    const inner = block.content[part];
    if (inner === undefined) return null;
    const text = leftOut(inner.type);
    if (inner.type === "text" && inner.text === text) return null;
    instead = { ...block, content: block.content.with(part, { type: "text", text }) };
  }
  return { ...message, content: message.content.with(index, instead) };
}

/** The model's message without its native form; when that was not enough, without the words or arguments refused. */
function rewritten(message: AssistantMessage, index: number): AssistantMessage | null {
  const { native, content } = message;
  if (native !== undefined) return { role: "assistant", content };
  const block = content[index];
  if (block === undefined || block.type === "thinking") return null;
  if (block.type === "tool_call") {
    return block.input === "{}"
      ? null
      : { ...message, content: content.with(index, { ...block, input: "{}" }) };
  }
  const text = leftOut("text");
  return block.text === text ? null : { ...message, content: content.with(index, { type: "text", text }) };
}

function rewriteTurns({ messages }: ModelRequest, from: number, known: Conversation): Repair | null {
  let found = 0;
  for (const message of messages.slice(from)) {
    const current = known.replaced.get(message) ?? message;
    if (current.role !== "assistant" || current.native === undefined) continue;
    known.replaced.set(message, { role: "assistant", content: current.content });
    found += 1;
  }
  if (found === 0) return null;
  return {
    code: "turn_rewritten",
    text: "The model's API does not take its earlier thinking back: the conversation goes on without it.",
  };
}
