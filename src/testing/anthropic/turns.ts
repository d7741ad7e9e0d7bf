import type {
  TimedTurn,
  SimulatedFault as WireFault,
  SimulatedStep as WireStep,
} from "../wire-server/api.ts";
import type { WireObject } from "./rules/request-view.ts";

/**
 * A block that the simulated model answers with, in the API's form. A `tool_use` needs a name only: its id is minted,
 * its input is `{}`, or the raw text of `partial_json` when the model should write arguments that are no JSON. The
 * signature of a block of thinking, or the data of a redacted one, is minted unless it is given.
 */
export type SimulatedBlock = { readonly type: string } & WireObject;

/** One answer of the simulated model. The stop reason is `tool_use` when there is a call, else `end_turn`. */
export interface SimulatedTurn extends TimedTurn {
  readonly content: readonly SimulatedBlock[];
  readonly stop_reason?: string;
  readonly stop_details?: WireObject;
  /** Members of `usage` beside the counted ones, such as `iterations`. */
  readonly usage?: WireObject;
}

/** What goes wrong with one request. */
export type SimulatedFault = WireFault<SimulatedTurn>;

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedStep = WireStep<SimulatedTurn>;

/** A turn whose blocks are complete: ids minted, inputs there. */
export interface CompleteTurn {
  readonly content: readonly SimulatedBlock[];
  readonly stopReason: string;
  readonly stopDetails: WireObject | null;
  readonly outputTokens: number;
  readonly usage: WireObject;
}

/** Gives every call an id and every turn a stop reason. `mintId` returns a new id with each call. */
export function completeTurn(turn: SimulatedTurn, mintId: () => string): CompleteTurn {
  const content = turn.content.map((block) =>
    block.type === "tool_use" ? { ...block, id: block.id ?? mintId(), input: block.input ?? {} } : block,
  );
  const calls = content.some((block) => block.type === "tool_use");
  return {
    content,
    stopReason: turn.stop_reason ?? (calls ? "tool_use" : "end_turn"),
    stopDetails: turn.stop_details ?? null,
    outputTokens: Math.ceil(JSON.stringify(content).length / 4),
    usage: turn.usage ?? {},
  };
}
