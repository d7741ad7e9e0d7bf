import type { AssistantMessage, Message } from "../../types/message.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";

/** Calls of the API's own tools in a turn, and the calls that results in it answer. */
interface ServerCalls {
  readonly called: readonly string[];
  readonly answered: readonly string[];
}

const none: ServerCalls = { called: [], answered: [] };
const found = new WeakMap<Message, ServerCalls>();
const rebuilt = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * The conversation as the API takes it again: a turn that paused in a tool of the API's own, and was not resumed before
 * the user said something else, goes back without what only the API can read, for it refuses a call without its result
 * there. The same message stays the same object.
 */
export function withoutOpenServerCalls(messages: readonly Message[]): readonly Message[] {
  const all = messages.map(serverCallsOf);
  if (all.every(({ called }) => called.length === 0)) return messages;
  // From the end on: a turn that goes back without its own blocks answers none of an earlier one either.
  const answered = new Set<string>();
  const sent = [...messages];
  for (const [index, message] of [...messages.entries()].reverse()) {
    const { called, answered: own } = all[index] ?? none;
    const open = called.some((id) => !answered.has(id) && !own.includes(id));
    if (open && message.role === "assistant" && !isWaiting(messages, index)) sent[index] = plain(message);
    else for (const id of own) answered.add(id);
  }
  return sent;
}

/** Whether nothing but answers to the client's own calls came behind a turn: its pause still holds. */
function isWaiting(messages: readonly Message[], index: number): boolean {
  const next = messages.findIndex(({ role }, place) => place > index && role === "user");
  if (next === -1) return true;
  return (
    next === messages.length - 1 &&
    messages[next]?.content.every(({ type }) => type === "tool_result") === true
  );
}

function plain(message: AssistantMessage): AssistantMessage {
  const { native: _, ...neutral } = message;
  const known = rebuilt.get(message) ?? neutral;
  rebuilt.set(message, known);
  return known;
}

function serverCallsOf(message: Message): ServerCalls {
  const known = found.get(message);
  if (known !== undefined) return known;
  const made = message.role === "user" ? none : readServerCalls(message);
  found.set(message, made);
  return made;
}

function readServerCalls({ native }: AssistantMessage): ServerCalls {
  if (native?.api !== "anthropic" || !/"server_tool_use"|_tool_result"/.test(native.json)) return none;
  const parsed: unknown = JSON.parse(native.json);
  const blocks = Array.isArray(parsed) ? parsed.filter(isObject) : [];
  return {
    called: blocks.flatMap(({ type, id }) => (type === "server_tool_use" ? [textOfJson(id)] : [])),
    answered: blocks.flatMap(({ tool_use_id: id }) => (typeof id === "string" ? [id] : [])),
  };
}
