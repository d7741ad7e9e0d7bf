import { type ChatRule, firstRefusal, objectsOf, type RuleRefusal } from "./request-view.ts";

/**
 * Tool messages follow directly on the turn whose calls they answer, every call has one, and none answers another
 * call. Each of the three is a rule of its own.
 */
function walk(
  messages: unknown,
  check: {
    orphan?(index: number): RuleRefusal;
    foreign?(id: string, index: number): RuleRefusal;
    unanswered?(ids: readonly string[], index: number): RuleRefusal;
  },
): RuleRefusal | null {
  let open: Set<string> | null = null;
  let asked: ReadonlySet<string> = new Set();
  const list = objectsOf(messages);
  const close = (index: number): RuleRefusal | null =>
    open !== null && open.size > 0 ? (check.unanswered?.([...open], index) ?? null) : null;
  for (const [index, message] of list.entries()) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (open === null) {
        const refusal = check.orphan?.(index) ?? null;
        if (refusal !== null) return refusal;
      } else if (!asked.has(id)) {
        const refusal = check.foreign?.(id, index) ?? null;
        if (refusal !== null) return refusal;
      } else open.delete(id);
      continue;
    }
    const refusal = close(index);
    if (refusal !== null) return refusal;
    const ids = objectsOf(message.tool_calls).map(({ id }) => String(id));
    open = ids.length > 0 ? new Set(ids) : null;
    asked = new Set(ids);
  }
  return close(list.length);
}

/** A tool message without a turn with calls in front of it. */
export const noOrphans: ChatRule = ({ messages }) =>
  walk(messages, {
    orphan: (index) => ({
      message:
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      param: `messages.[${index}].role`,
    }),
  });

/** A tool message that answers a call that the turn in front of it does not have. */
export const resultsBelong: ChatRule = ({ messages }) =>
  walk(messages, {
    foreign: (id, index) => ({
      message: `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      param: `messages.[${index}].tool_call_id`,
    }),
  });

/** A call without a tool message. */
export const callsAnswered: ChatRule = ({ messages }) =>
  walk(messages, {
    unanswered: (ids) => ({
      message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
      param: "messages",
    }),
  });

/** A tool message says which call it answers. */
export const resultsNameCalls: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), (message, index) => {
    if (message.role !== "tool" || typeof message.tool_call_id === "string") return null;
    const param = `messages[${index}].tool_call_id`;
    return { message: `Missing required parameter: '${param}'.`, param, code: "missing_required_parameter" };
  });
