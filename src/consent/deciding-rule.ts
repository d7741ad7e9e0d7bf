import { compareCodeUnits } from "../util/stable-json.ts";
import type { Rule, RuleEffect } from "./rules.ts";

const strictness: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, hide: 2, deny: 3 };

export function isStricter(a: RuleEffect, b: RuleEffect): boolean {
  return strictness[a] > strictness[b];
}

/**
 * The rule that decides among those of one tier that match: a deny; else one that no other is more specific than, the
 * strictest of these. The order in which the rules were written means nothing.
 */
export function decidingRule(matching: readonly Rule[]): Rule | undefined {
  const denials = matching.filter((rule) => rule.effect === "deny");
  const leading =
    denials.length > 0
      ? denials
      : matching.filter((rule) => !matching.some((other) => isMoreSpecific(other, rule)));
  return [...leading].sort(
    (a, b) => strictness[b.effect] - strictness[a.effect] || compareCodeUnits(a.text, b.text),
  )[0];
}

/** More specific in at least one of server, tool and conditions, and in none less: only then are two rules comparable. */
function isMoreSpecific(a: Rule, b: Rule): boolean {
  return isAsSpecific(a, b) && !isAsSpecific(b, a);
}

function isAsSpecific(a: Rule, b: Rule): boolean {
  return (
    a.server.literal >= b.server.literal &&
    a.tool.literal >= b.tool.literal &&
    b.conditions.every((wanted) =>
      a.conditions.some(
        (condition) =>
          condition.path.length === wanted.path.length &&
          condition.path.every((key, index) => key === wanted.path[index]) &&
          condition.glob.literal >= wanted.glob.literal,
      ),
    )
  );
}
