import type { DecisionSource } from "../types/outcome.ts";
import type { CallFacts, Flows } from "../types/policy.ts";
import { decidingRule, isStricter, looksAtArgument, looksAtFlow } from "./deciding-rule.ts";
import { flowReason, tripleFlow } from "./flow-words.ts";
import { type Hints, reachesOthers } from "./hints.ts";
import type { TieredRules } from "./rule-index.ts";
import type { Rule, RuleEffect } from "./rules.ts";

/** What one step of weighing came to; a later step may still change it. */
export interface Base {
  readonly stage: Stage;
  readonly effect: RuleEffect;
  /** Null for hints, flows and the default. */
  readonly rule: Rule | null;
  readonly by: DecisionSource;
  readonly reason: string;
}

/** Where a verdict comes from. */
type Stage = "administrator" | "user" | "default" | "hints" | "flow" | "project" | "direct";

/**
 * What the rules that match come to for a call, step by step: the first is the base, each later one changed it, and the
 * last one holds.
 * 1. The administrator's rules, else the user's, give the base; where neither matches, a trusted server's read-only tool
 *    is allowed and everything else is asked.
 * 2. A tool that says it is destructive is asked, unless the base is a rule that allows it with an argument condition.
 * 3. The project's rules can only make the result stricter.
 * 4. A call that may reach others is asked once the conversation has read both private and untrusted content, unless the
 *    base is a rule that allows it with a flow condition. `flows: "off"` leaves this out, and with
 *    `always` only an administrator's rule allows it.
 * 5. A call that a person typed is allowed unless a deny stands at the end of all this.
 */
export function weigh(
  matching: TieredRules,
  facts: CallFacts,
  { hints, flows }: { readonly hints: Hints; readonly flows: Flows },
): readonly [Base, ...Base[]] {
  const base = baseOf(matching, hints);
  const steps: [Base, ...Base[]] = [base];
  let last = base;
  const tighten = (next: Base) => {
    if (next !== last) steps.push(next);
    last = next;
  };
  tighten(tightenByHints(base, hints));
  tighten(tightenByProject(last, matching));
  if (flows !== "off" && !allowsFlow(base, flows)) tighten(tightenByFlow(last, facts, hints));
  if (facts.origin === "direct" && last.effect !== "deny") tighten(direct);
  return steps;
}

const direct: Base = {
  stage: "direct",
  effect: "allow",
  rule: null,
  by: { type: "direct" },
  reason: "A person called it directly.",
};

function byRule(rule: Rule): Base {
  const message = rule.message === "" ? "." : `: ${rule.message}`;
  return {
    stage: rule.tier,
    effect: rule.effect,
    rule,
    by: { type: "rule", tier: rule.tier, rule: rule.text },
    reason: `The rule \`${rule.text}\` ${ruleVerbs[rule.effect]} it${message}`,
  };
}

const ruleVerbs: Readonly<Record<RuleEffect, string>> = {
  allow: "allows",
  ask: "asks for",
  hide: "hides",
  deny: "denies",
};

function baseOf(matching: TieredRules, hints: Hints): Base {
  const rule = decidingRule(matching.administrator) ?? decidingRule(matching.user);
  if (rule !== undefined) return byRule(rule);
  if (hints.readOnly) {
    return {
      stage: "default",
      effect: "allow",
      rule: null,
      by: { type: "hint", hint: "readOnlyHint" },
      reason: "Its server is trusted and says that it only reads.",
    };
  }
  return {
    stage: "default",
    effect: "ask",
    rule: null,
    by: { type: "default" },
    reason: "No rule covers it.",
  };
}

function tightenByHints(base: Base, hints: Hints): Base {
  const silenced = base.rule !== null && (base.effect !== "allow" || looksAtArgument(base.rule));
  if (!hints.destructive || silenced) return base;
  return {
    stage: "hints",
    effect: "ask",
    rule: null,
    by: { type: "hint", hint: "destructiveHint" },
    reason: "Its server says that it is destructive, and such calls are always asked for.",
  };
}

/** Whether a rule with a flow condition allows the call, of somebody who may allow flows. */
function allowsFlow({ stage, effect, rule }: Base, flows: Flows): boolean {
  const may = flows !== "always" || stage === "administrator";
  return may && rule !== null && effect === "allow" && looksAtFlow(rule);
}

/** An ask stays an ask here, but no answer that was given before the flow may answer it. */
function tightenByFlow(last: Base, facts: CallFacts, hints: Hints): Base {
  const flows = facts.reads.private && facts.reads.untrusted && reachesOthers(facts, hints);
  if (!flows || isStricter(last.effect, "ask")) return last;
  return {
    stage: "flow",
    effect: "ask",
    rule: null,
    by: { type: "flow", flow: tripleFlow },
    reason: flowReason(facts.reads),
  };
}

function tightenByProject(last: Base, matching: TieredRules): Base {
  const rule = decidingRule(matching.project);
  return rule !== undefined && isStricter(rule.effect, last.effect) ? byRule(rule) : last;
}
