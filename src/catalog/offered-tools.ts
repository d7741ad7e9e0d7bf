import type { Message } from "../types/message.ts";
import type { Model, ModelRequest } from "../types/model.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { calledName } from "../util/called-name.ts";
import { type Selection, selectTools, type ToolRoom } from "./selection.ts";

/** What a conversation's model was offered last. */
interface Offered {
  readonly snapshot: ToolSnapshot;
  readonly selection: Selection;
}

/**
 * Gives models no more tools than they have room for: what is over it they find by a search. A conversation, known by the
 * identity of its first message, keeps what it was offered, for each model by itself. A model that has this already, and the offline one,
 * which reads every tool, stay what they are.
 * @param most most tools that any model is offered; 0: as many as its API takes
 */
export function createToolOffers(most: number): (model: Model) => Model {
  const made = new WeakMap<Model, Model>();
  const conversations = new WeakMap<Message, Map<string, Offered>>();
  return (model) => {
    const hasRoom = most === 0 && model.leftOut === undefined;
    if (hasRoom || model.capabilities.offline || model.behindSearch !== undefined) return model;
    const known = made.get(model) ?? withSelection(model, most, conversations);
    made.set(model, known);
    return known;
  };
}

function withSelection(
  model: Model,
  most: number,
  conversations: WeakMap<Message, Map<string, Offered>>,
): Model {
  const { api, name, capabilities } = model;
  const room: ToolRoom = { most, leftOut: (snapshot) => model.leftOut?.(snapshot) ?? [] };
  /** What a conversation begins with that has used no tool. */
  const beginnings = new WeakMap<ToolSnapshot, Selection>();

  function beginning(snapshot: ToolSnapshot): Selection {
    const known = beginnings.get(snapshot) ?? selectTools(snapshot, room);
    beginnings.set(snapshot, known);
    return known;
  }

  function select(snapshot: ToolSnapshot, messages: readonly Message[]): Selection {
    const [first] = messages;
    if (first === undefined) return beginning(snapshot);
    const byModel = conversations.get(first) ?? new Map<string, Offered>();
    conversations.set(first, byModel);
    const last = byModel.get(`${api}/${name}`);
    if (last?.snapshot === snapshot) return last.selection;
    const used = usedTools(messages);
    const selection =
      last === undefined && used.size === 0
        ? beginning(snapshot)
        : selectTools(
            snapshot,
            room,
            used,
            last?.selection.offered.tools.map(({ alias }) => alias),
          );
    byModel.set(`${api}/${name}`, { snapshot, selection });
    return selection;
  }

  const offered = (request: ModelRequest): ModelRequest => {
    const { offered: snapshot } = select(request.snapshot, request.messages);
    return snapshot === request.snapshot ? request : { ...request, snapshot };
  };
  const { countTokens } = model;
  return {
    api,
    name,
    capabilities,
    behindSearch: (snapshot, messages) => select(snapshot, messages).behind,
    ...(countTokens === undefined
      ? {}
      : { countTokens: (request) => countTokens.call(model, offered(request)) }),
    stream: (request) => model.stream(offered(request)),
  };
}

/** The aliases that were called in a conversation, directly or as found tools. */
function usedTools(messages: readonly Message[]): ReadonlySet<string> {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((block) => block.type === "tool_call") : [],
  );
  return new Set(calls.map(calledName).filter((name) => name !== ""));
}
