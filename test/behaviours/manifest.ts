import { attackBehaviours } from "./manifest/attacks.ts";
import type { Behaviour } from "./manifest/behaviour.ts";
import { callBehaviours } from "./manifest/calls.ts";
import { faultBehaviours } from "./manifest/faults.ts";
import { resultBehaviours } from "./manifest/results.ts";
import { runBehaviours } from "./manifest/runs.ts";
import { toolBehaviours } from "./manifest/tools.ts";
import { trustBehaviours } from "./manifest/trust.ts";

/** What this host promises, in 18 behaviours: each with its rule, its code, its tests, and edits that its tests notice. */
export const behaviours: readonly Behaviour[] = [
  ...toolBehaviours,
  ...resultBehaviours,
  ...callBehaviours,
  ...faultBehaviours,
  ...trustBehaviours,
  ...runBehaviours,
].sort((a, b) => a.id - b.id);

/** The same for attacks, under the numbers behind. */
export const attacks: readonly Behaviour[] = attackBehaviours;
