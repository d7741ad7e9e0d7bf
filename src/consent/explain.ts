import type { CallFacts, PolicyExplanation, PolicyStep, RuleReading } from "../types/policy.ts";
import { builtinServer, type ToolCall } from "../types/tool.ts";
import { type CallView, createCallView, meetsCondition } from "./conditions.ts";
import { assessDrift, believedFacts, type Drift } from "./drift.ts";
import { readHints } from "./hints.ts";
import type { Policy } from "./policy.ts";
import { byTier } from "./rule-index.ts";
import type { Rule } from "./rules.ts";
import type { Shadow } from "./shadow.ts";
import { suggestRule } from "./suggestion.ts";
import { type Base, weigh } from "./weigh.ts";

/** All of an explanation but the arguments, which the caller has. */
export type RulesExplanation = Omit<PolicyExplanation, "arguments">;

interface ExplainSettings {
  readonly policy: Policy;
  readonly shadow: Shadow;
  readonly redact: (text: string) => string;
  readonly drift: Drift;
}

/** Says which rule decides a call and why; grants are not looked at. Asks and changes nothing, and is of one mind with a run. */
export function explainCall(
  { policy, shadow, redact, drift }: ExplainSettings,
  call: Pick<ToolCall, "tool">,
  facts: CallFacts,
): RulesExplanation {
  const assessed = policy.assess(facts);
  const believed = believedFacts(facts, call.tool, drift);
  const assessment = assessDrift(call, assessed, drift, () => policy.assess(believed));
  const { type: decision, by, reason, warnings, grantable, doubted } = assessment;
  const suggestedRule = decision === "ask" ? suggestRule(believed, policy, redact) : null;
  const tried = shadow(facts, assessed);
  const common = {
    ...{ decision, by, reason, warnings, grantable, hidden: policy.hidden(facts.route) },
    ...(suggestedRule === null ? {} : { suggestedRule }),
    ...(tried === null ? {} : { shadow: tried }),
  };
  if (facts.route.server === builtinServer) {
    return { ...common, steps: [{ stage: "builtin", effect: "allow", by, reason }], rules: [] };
  }
  const view = createCallView(facts);
  const found = policy.candidates(facts.route);
  const named = [...found.administrator, ...found.user, ...found.project];
  const failures = new Map(named.map((rule) => [rule, firstFailure(rule, view)]));
  const matching = byTier(named.filter((rule) => failures.get(rule) === null));
  const steps = weigh(matching, facts, { hints: readHints(facts), flows: policy.flows });
  return {
    ...common,
    steps: [
      ...steps.map(toStep),
      ...(doubted ? [{ stage: "drift", effect: "ask", by, reason } as const] : []),
    ],
    rules: named.map((rule) => toReading(rule, failures.get(rule) ?? null, steps)),
  };
}

/** The first condition that the call does not meet, as it was written, or null. */
function firstFailure(rule: Rule, view: CallView): string | null {
  return rule.conditions.find((condition) => !meetsCondition(rule, condition, view))?.text ?? null;
}

function toStep({ stage, effect, by, reason }: Base): PolicyStep {
  return { stage, effect, by, reason };
}

function toReading(rule: Rule, failed: string | null, steps: readonly Base[]): RuleReading {
  return {
    tier: rule.tier,
    rule: rule.text,
    effect: rule.effect,
    matches: failed === null,
    ...(failed === null ? {} : { failed }),
    decides: steps.some((step) => step.rule === rule),
  };
}
