import type {
  TimedTurn,
  SimulatedFault as WireFault,
  WireObject,
  SimulatedStep as WireStep,
} from "../wire-server/api.ts";

/** A call that the simulated model makes. */
export interface SimulatedChatCall {
  /** Minted when it is left out. */
  readonly id?: string;
  readonly name: string;
  /** An object, or the raw text that the model should write. Default: `{}`. */
  readonly arguments?: string | WireObject;
}

/** One answer of the simulated model. The finish reason is `tool_calls` when there is a call, else `stop`. */
export interface SimulatedChatTurn extends TimedTurn {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly refusal?: string;
  readonly tool_calls?: readonly SimulatedChatCall[];
  readonly finish_reason?: string;
  /** Streamed as they are instead of deltas made of the rest: for the ways of servers that are not OpenAI's. */
  readonly deltas?: readonly WireObject[];
  /** False leaves out the `[DONE]` at the end, as some servers do. */
  readonly done?: boolean;
}

export type SimulatedChatFault = WireFault<SimulatedChatTurn>;

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedChatStep = WireStep<SimulatedChatTurn>;

/** A call with its id and the text of its arguments. */
export interface CompleteChatCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Gives every call an id. `mintId` returns a new id with each call. */
export function completeCalls(turn: SimulatedChatTurn, mintId: () => string): CompleteChatCall[] {
  return (turn.tool_calls ?? []).map((call) => ({
    id: call.id ?? mintId(),
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {}),
  }));
}
