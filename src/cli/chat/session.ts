import type { RunEvent, RunResult } from "../../types/events.ts";
import type { Conversation, Host } from "../../types/host.ts";
import type { Model } from "../../types/model.ts";
import type { ToolRoute, ToolSnapshot } from "../../types/tool.ts";

/** Decisions that `/audit` can show; older ones are in the log. */
const mostDecisions = 200;

/** A decision about a call of this chat. */
interface SeenDecision {
  readonly route: ToolRoute;
  readonly decided: Extract<RunEvent, { type: "call_decided" }>;
}

/** What a chat knows and changes while it runs. */
export interface Session {
  readonly host: Host;
  conversation: Conversation;
  /** Replaces the host's model, once the person chose another. */
  model: Model | null;
  /** The instructions for the model. */
  system: string;
  /** Whether conversations are stored. */
  readonly storing: boolean;
  /** How the runs of this conversation ended, without their messages, oldest first. */
  readonly runs: Omit<RunResult, "message" | "messages" | "text">[];
  last: RunResult | null;
  readonly decisions: SeenDecision[];
  /** What the model thought of the last message. */
  thinking: string;
  /** The tools, once they were read. */
  tools: ToolSnapshot | null;
  /** Ids of the servers that are not started, because nobody agreed to them yet. */
  readonly waiting: readonly string[];
}

/** The model that answers now. */
export function modelOf({ host, model }: Session): {
  readonly api: string;
  readonly name: string;
  readonly offline: boolean;
} {
  return model === null
    ? host.model
    : { api: model.api, name: model.name, offline: model.capabilities.offline };
}

/** Remembers the decisions of a run for `/audit`. */
export function createDecisionNotes(session: Session): (event: RunEvent) => void {
  const routes = new Map<string, ToolRoute>();
  return (event) => {
    if (event.type === "call_proposed") routes.set(event.callId, { server: event.server, tool: event.tool });
    if (event.type !== "call_decided") return;
    const route = routes.get(event.callId);
    if (route === undefined) return;
    session.decisions.push({ route, decided: event });
    if (session.decisions.length > mostDecisions) session.decisions.shift();
  };
}

/** Remembers how a run ended. */
export function noteResult(session: Session, result: RunResult): void {
  const { message: _message, messages: _messages, text: _text, ...end } = result;
  session.runs.push(end);
  session.last = result;
}

/** Begins a new conversation; what was said and allowed before is no part of it. */
export function startAnew(session: Session): void {
  session.conversation = session.host.conversation();
  session.runs.length = 0;
  session.decisions.length = 0;
  session.last = null;
  session.thinking = "";
}
