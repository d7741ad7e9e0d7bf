import { failingBehaviours } from "./failing.ts";
import { historyBehaviours } from "./history.ts";
import type { ContractSetup } from "./setup.ts";
import { streamingBehaviours } from "./streaming.ts";

/** One behaviour that every model adapter has: `run` rejects when it is not so. */
export interface ContractBehaviour {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * What every adapter of a model's API does, whatever the API: its streams, its failures, its history. It knows no test
 * framework; with Vitest it is `test.each(modelContract(setup))("$name", ({ run }) => run())`.
 */
export function modelContract(setup: ContractSetup): readonly ContractBehaviour[] {
  return [...streamingBehaviours(setup), ...failingBehaviours(setup), ...historyBehaviours(setup)];
}
