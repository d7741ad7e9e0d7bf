import type { ContractStep, ContractTurn } from "../../../src/testing/model-contract/setup.ts";
import type { SimulatedStep, TimedTurn } from "../../../src/testing/wire-server/api.ts";

/** A step of the contract in an API's form. */
export function mapStep<Turn extends TimedTurn>(
  step: ContractStep,
  turnOf: (turn: ContractTurn) => Turn,
): SimulatedStep<Turn> {
  const { fault } = step;
  if (fault === undefined) return turnOf(step);
  return { fault: "turn" in fault ? { ...fault, turn: turnOf(fault.turn) } : fault };
}
