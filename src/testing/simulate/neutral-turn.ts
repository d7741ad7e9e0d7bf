import type { SimulatedFault, SimulatedStep, TimedTurn, WireObject } from "../wire-server/api.ts";

/** A call of a scripted answer. */
export interface NeutralCall {
  /** Minted in the API's form when it is left out. */
  readonly id?: string;
  readonly name: string;
  /** An object, or the raw text that the model should write. Default: `{}`. */
  readonly input?: WireObject | string;
}

/** One answer of a simulated model, in no API's form: every simulator plays it in its own. */
export interface NeutralTurn extends TimedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly NeutralCall[];
  /** The model refuses, with this explanation. */
  readonly refusal?: string;
  /** True: the answer is cut at its token limit. */
  readonly cut?: boolean;
}

export type NeutralFault = SimulatedFault<NeutralTurn>;

/** A step of a script: an answer, or something that goes wrong. */
export type NeutralStep = SimulatedStep<NeutralTurn>;

/** A step in the form of one API. */
export function mapStep<Turn extends TimedTurn>(
  step: NeutralStep,
  turnOf: (turn: NeutralTurn) => Turn,
): SimulatedStep<Turn> {
  if (step.fault === undefined) return turnOf(step as NeutralTurn);
  const { fault } = step;
  return "turn" in fault ? { fault: { ...fault, turn: turnOf(fault.turn) } } : { fault };
}
