import type { DecisionSource } from "../types/outcome.ts";
import type { CallFacts, Flows, PolicyDecision, ShadowVerdict } from "../types/policy.ts";
import { builtinServer, type ToolRoute } from "../types/tool.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { type CallView, createCallView, meetsConditions } from "./conditions.ts";
import { decidingRule, inOrderOfStrictness } from "./deciding-rule.ts";
import { type Hints, hintWarnings, readHints } from "./hints.ts";
import { createRuleIndex, type TieredRules } from "./rule-index.ts";
import type { Rule } from "./rules.ts";
import { createStartIndex, type StartIndex } from "./start-index.ts";
import { type Base, weigh } from "./weigh.ts";

/** What the policy says of a call, before anybody is asked. */
export interface Assessment {
  readonly type: PolicyDecision;
  readonly by: DecisionSource;
  /** In a sentence: for the person, the log and, when denied, the model. */
  readonly reason: string;
  readonly warnings: readonly string[];
  /** Whether a grant of the person may answer for later calls of the tool. */
  readonly grantable: boolean;
  /** Where a flow is what asks: the rule, hint or default that would have decided without it. */
  readonly beneath?: DecisionSource;
  /** Where a flow is what asks: the servers whose private content might leave, in order, if known. */
  readonly privateFrom?: readonly string[];
  /** It is asked about only because its tool changed: until then the hints of its server are not believed. */
  readonly doubted?: true;
  /** What the policy that is tried out says, where that differs. */
  readonly shadow?: ShadowVerdict;
}

/** Assesses any call: it never throws. */
export interface Policy {
  assess(facts: CallFacts): Assessment;
  /** The same with one rule more, of the user's. */
  assessWith(rule: Rule, facts: CallFacts): Assessment;
  /** Whether the tool is kept from the model's list. */
  hidden(route: ToolRoute): boolean;
  /** The rules whose names fit the tool. */
  candidates(route: ToolRoute): TieredRules;
  readonly flows: Flows;
}

/**
 * The one decision function: the host's own tools are allowed; for all others the rules that match are weighed
 * (`weigh`).
 */
export function createPolicy(
  rules: readonly Rule[],
  { flows = "ask" }: { readonly flows?: Flows } = {},
): Policy {
  const candidates = createRuleIndex(rules);
  const starts = new WeakMap<readonly Rule[], StartIndex>();

  /** Those of a tier's rules for the tool that the call may meet. */
  function mayMeet(tier: readonly Rule[], view: CallView): readonly Rule[] {
    let index = starts.get(tier);
    if (index === undefined) {
      index = createStartIndex(tier);
      starts.set(tier, index);
    }
    return index(view);
  }

  function assessBy(found: TieredRules, facts: CallFacts): Assessment {
    const hints = readHints(facts);
    const matching = matchingOf(found, createCallView(facts), mayMeet);
    return finish(weigh(matching, facts, { hints, flows }), hints, facts);
  }

  return {
    assess(facts) {
      if (isBuiltin(facts.route)) return builtin;
      return assessBy(candidates(facts.route), facts);
    },
    assessWith(rule, facts) {
      if (isBuiltin(facts.route)) return builtin;
      const found = candidates(facts.route);
      return assessBy({ ...found, user: inOrderOfStrictness([...found.user, rule]) }, facts);
    },
    hidden(route) {
      return !isBuiltin(route) && isHidden(candidates(route));
    },
    candidates,
    flows,
  };
}

function isBuiltin(route: ToolRoute): boolean {
  return route.server === builtinServer;
}

const builtin: Assessment = {
  type: "allow",
  by: { type: "builtin" },
  reason: "It is a tool of the host.",
  warnings: [],
  grantable: false,
};

function matchingOf(
  found: TieredRules,
  view: CallView,
  mayMeet: (tier: readonly Rule[], view: CallView) => readonly Rule[],
): TieredRules {
  const inTier = (tier: readonly Rule[]) => mayMeet(tier, view).filter((rule) => meetsConditions(rule, view));
  return {
    administrator: inTier(found.administrator),
    user: inTier(found.user),
    project: inTier(found.project),
  };
}

function finish(steps: readonly [Base, ...Base[]], hints: Hints, { reads }: CallFacts): Assessment {
  const base = steps.at(-1) ?? steps[0];
  const type = base.effect === "hide" ? "deny" : base.effect;
  const isFlow = base.stage === "flow";
  const beneath = isFlow ? (steps.at(-2) ?? base) : base;
  const mayGrant = !hints.destructive && (beneath.rule === null || beneath.rule.tier === "user");
  return {
    type,
    by: base.by,
    reason: base.reason,
    warnings: hintWarnings(hints, type === "ask"),
    // What would run but for the flow needs no more than an answer about the flow.
    grantable: mayGrant || (isFlow && beneath.effect === "allow"),
    ...(isFlow ? { beneath: beneath.by } : {}),
    ...(isFlow && reads.privateFrom ? { privateFrom: reads.privateFrom.toSorted(compareCodeUnits) } : {}),
  };
}

/** A deny says nothing of the list: whoever sees the tool is told why it may not run. */
function isHidden(found: TieredRules): boolean {
  const inTier = (rules: readonly Rule[]) =>
    decidingRule(rules.filter(({ effect }) => effect !== "deny"))?.effect;
  const base = inTier(found.administrator) ?? inTier(found.user);
  return base === "hide" || inTier(found.project) === "hide";
}
