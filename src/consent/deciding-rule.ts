import { compareCodeUnits } from "../util/stable-json.ts";
import { isAboutArgument, type PathCondition, type RuleCondition } from "./condition-words.ts";
import type { Rule, RuleEffect } from "./rules.ts";
import { coversSituation } from "./situation.ts";

const strictness: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, hide: 2, deny: 3 };

export function isStricter(a: RuleEffect, b: RuleEffect): boolean {
  return strictness[a] > strictness[b];
}

/** Whether the rule looks at an argument: only such a rule allows what is destructive. */
export function looksAtArgument(rule: Rule): boolean {
  return rule.conditions.some(isAboutArgument);
}

/** Whether the rule speaks of flows to the outside: only such a rule allows what a flow asks for. */
export function looksAtFlow(rule: Rule): boolean {
  return rule.conditions.some((condition) => condition.type === "flow" && condition.to !== "write");
}

/** The order in which rules are tried: the stricter first, by what they mean and not by how they are written. */
export function inOrderOfStrictness(rules: readonly Rule[]): readonly Rule[] {
  return [...rules].sort(
    (a, b) =>
      strictness[b.effect] - strictness[a.effect] ||
      Number(looksAtArgument(a)) - Number(looksAtArgument(b)) ||
      Number(looksAtFlow(a)) - Number(looksAtFlow(b)) ||
      compareCodeUnits(a.meaning, b.meaning) ||
      compareCodeUnits(a.text, b.text),
  );
}

/**
 * The rule that decides among those of one tier that match, in order of strictness: a deny; else the first that no
 * other is more specific than. The order in which the rules were written means nothing.
 *
 * A rule is more specific than another where it is at least as narrow in its server, its tool and each of the other's
 * conditions, and narrower in one of them. Names and globs are as narrow as they have literal characters; one without a
 * wildcard is narrower than all, and than every other condition on the same argument. A folder is narrower than those
 * it lies in; a regular expression only covers itself. `@flow` is narrower the fewer sides are `*`; other conditions of
 * the situation only cover themselves. All that is not comparable goes to the stricter.
 */
export function decidingRule(matching: readonly Rule[]): Rule | undefined {
  const [first] = matching;
  if (first === undefined || first.effect === "deny") return first;
  return matching.find((rule) => !matching.some((other) => isMoreSpecific(other, rule)));
}

function isMoreSpecific(a: Rule, b: Rule): boolean {
  return isAsSpecific(a, b) && !isAsSpecific(b, a);
}

function isAsSpecific(a: Rule, b: Rule): boolean {
  return (
    a.server.literal >= b.server.literal &&
    a.tool.literal >= b.tool.literal &&
    b.conditions.every((wanted) => a.conditions.some((condition) => covers(condition, wanted)))
  );
}

function covers(a: RuleCondition, b: RuleCondition): boolean {
  if (isAboutArgument(a)) return isAboutArgument(b) && a.key === b.key && coversTest(a, b);
  return !isAboutArgument(b) && coversSituation(a, b);
}

function coversTest(a: PathCondition, b: PathCondition): boolean {
  if (a.type === "glob" && a.glob.exact !== null) return true;
  switch (b.type) {
    case "glob":
    case "host":
      return a.type === b.type && a.glob.literal >= b.glob.literal;
    case "regex":
      return a.type === "regex" && a.pattern.source === b.pattern.source;
    case "under":
      return (
        a.type === "under" &&
        a.folder.absolute === b.folder.absolute &&
        b.folder.segments.every((segment, index) => a.folder.segments[index] === segment)
      );
  }
}
