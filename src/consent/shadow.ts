import type { CallFacts, Flows, ShadowVerdict } from "../types/policy.ts";
import { type Assessment, createPolicy } from "./policy.ts";
import type { Rule } from "./rules.ts";

/** What a policy that is tried out says of a call, where it differs from what holds; it is told and never enforced. */
export type Shadow = (facts: CallFacts, holds: Assessment) => ShadowVerdict | null;

/** `rules` stand in the place of the user's; those of the others hold in both. Null: nothing is tried out. */
export function createShadow(rules: readonly Rule[] | null, flows: Flows = "ask"): Shadow {
  if (rules === null) return () => null;
  const policy = createPolicy(rules, { flows });
  return (facts, holds) => {
    const { type, by, reason } = policy.assess(facts);
    return type === holds.type ? null : { decision: type, by, reason };
  };
}

export function shadowWarning(
  { route }: CallFacts,
  holds: Assessment,
  { decision, reason }: ShadowVerdict,
): string {
  return `The policy that is tried out would ${decision} ${route.server}/${route.tool}, not ${holds.type} it. ${reason}`;
}
