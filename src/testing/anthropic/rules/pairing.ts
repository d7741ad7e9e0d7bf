import {
  blocksOf,
  blocksOfMessage,
  firstRefusal,
  objectsOf,
  type PlacedBlock,
  type Rule,
  type WireObject,
} from "./request-view.ts";

/** Messages of one role in a row are one turn, as the API merges them. */
export interface Turn {
  readonly role: string;
  /** Index of its first message. */
  readonly index: number;
  readonly blocks: PlacedBlock[];
  /** True when a message of it is a bare text, which stands before or between its blocks. */
  readonly leadingText: boolean;
}

/** The turns of a conversation. Instructions in the middle are none. */
export function turnsOf(request: WireObject): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of objectsOf(request.messages).entries()) {
    if (message.role === "system") continue;
    const own = blocksOfMessage(message, index);
    const last = turns.at(-1);
    if (last !== undefined && last.role === message.role) last.blocks.push(...own);
    else {
      const leadingText = typeof message.content === "string";
      turns.push({ role: String(message.role), index, blocks: own, leadingText });
    }
  }
  return turns;
}

function idsOf(blocks: readonly PlacedBlock[], type: string, field: string): string[] {
  return blocks.filter(({ block }) => block.type === type).map(({ block }) => String(block[field]));
}

/** Rule 8: every call is answered in the next message, before anything else in it. */
export const callsAnswered: Rule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, place) => {
    if (turn.role !== "assistant") return null;
    const next = turns[place + 1];
    const blocks = next === undefined || next.leadingText ? [] : next.blocks;
    const end = blocks.findIndex(({ block }) => block.type !== "tool_result");
    const answered = new Set(idsOf(end === -1 ? blocks : blocks.slice(0, end), "tool_result", "tool_use_id"));
    const open = idsOf(turn.blocks, "tool_use", "id").filter((id) => !answered.has(id));
    if (open.length === 0) return null;
    return (
      `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    );
  });
};

/** Rule 9: every result belongs to a call of the message before. */
export const resultsBelong: Rule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, place) => {
    const called = new Set(idsOf(turns[place - 1]?.blocks ?? [], "tool_use", "id"));
    return firstRefusal(turn.blocks, ({ path, block }) =>
      block.type !== "tool_result" || called.has(String(block.tool_use_id))
        ? null
        : `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each ` +
          "`tool_result` block must have a corresponding `tool_use` block in the previous message.",
    );
  });
};

/** Rule 10: one result for a call. */
export const singleResults: Rule = (request) =>
  firstRefusal(turnsOf(request), ({ blocks }) => {
    const answered = idsOf(blocks, "tool_result", "tool_use_id");
    const twice = answered.find((id, index) => answered.indexOf(id) !== index);
    return twice === undefined
      ? null
      : `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
  });

/** Rule 11: no id is used by two calls. */
export const uniqueCallIds: Rule = (request) => {
  const seen = new Set<unknown>();
  return firstRefusal(blocksOf(request), ({ path, block }) => {
    if (block.type !== "tool_use") return null;
    if (seen.has(block.id)) return `${path}: \`tool_use\` ids must be unique`;
    seen.add(block.id);
    return null;
  });
};

/**
 * Rule 31: the conversation ends with the user, except with older models. A turn that paused in a tool of the API's own is another
 * exception: it is sent back as it is to be resumed.
 */
export const noPrefill: Rule = (request, { model }) => {
  const last = turnsOf(request).at(-1);
  if (
    model.prefill ||
    last?.role !== "assistant" ||
    last.blocks.some(({ block }) => block.type === "server_tool_use")
  )
    return null;
  return "This model does not support assistant message prefill. The conversation must end with a user message.";
};
