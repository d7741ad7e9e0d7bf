import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allTiers,
  readRule,
  someFacts,
  someRule,
  someRules,
  type WrittenRule,
} from "../../test/support/policies.ts";
import type { CallFacts } from "../types/policy.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { createPolicy } from "./policy.ts";
import { parseRules, type Rule } from "./rules.ts";

const strictness = { allow: 0, ask: 1, deny: 2 };

function level(rules: readonly Rule[], facts: CallFacts): number {
  return strictness[createPolicy(rules).assess(facts).type];
}

function matching(rules: readonly Rule[], facts: CallFacts): readonly Rule[] {
  const { administrator, user, project } = createPolicy(rules).candidates(facts.route);
  const view = createCallView(facts);
  return [...administrator, ...user, ...project].filter((rule) => meetsConditions(rule, view));
}

test("the order of rules changes nothing of a decision, whatever they ask for", () => {
  fc.assert(
    fc.property(someRules(), someFacts, fc.nat(), (rules, facts, turn) => {
      const at = turn % (rules.length + 1);
      const decided = createPolicy(rules).assess(facts);
      expect(createPolicy([...rules.slice(at), ...rules.slice(0, at)]).assess(facts)).toEqual(decided);
      expect(createPolicy([...rules].reverse()).assess(facts)).toEqual(decided);
    }),
    { numRuns: 250 },
  );
});

/** The same rule with more spaces, quotes around what needs none, and its conditions in another order. */
function otherwiseWritten(
  { effect, server, tool, conditions, tier }: WrittenRule,
  how: number,
): readonly Rule[] {
  const quoted = (name: string) => (how % 2 === 0 && /^\w+$/.test(name) ? JSON.stringify(name) : name);
  const turned = how % 3 === 0 ? [...conditions].reverse() : conditions;
  const spelt = turned.map((text) =>
    text.replace(/^(under|regex)\((\w+)\)/, (whole, name, path) =>
      how % 2 === 0 ? `${name}("${path}")` : whole,
    ),
  );
  const text = ["", effect, `${quoted(server)}/${quoted(tool)}`, ...spelt, ""].join(
    " ".repeat(1 + (how % 4)),
  );
  return parseRules([text], tier);
}

/** What a decision comes to, however the rule that made it is written. */
function decided(rules: readonly Rule[], facts: CallFacts): unknown {
  const { type, grantable, warnings, by } = createPolicy(rules).assess(facts);
  const rule = by.type === "rule" ? rules.find(({ text }) => text === by.rule) : undefined;
  return { type, grantable, warnings, by: rule?.meaning ?? by.type };
}

test("how rules are written changes nothing of a decision", () => {
  const rules = fc.array(fc.tuple(someRule(allTiers), fc.nat({ max: 11 })), { maxLength: 8 });
  fc.assert(
    fc.property(rules, someFacts, (written, facts) => {
      const plain = written.flatMap(([rule]) => readRule(rule));
      const other = written.flatMap(([rule, how]) => otherwiseWritten(rule, how));
      expect(decided(other, facts)).toEqual(decided(plain, facts));
    }),
    { numRuns: 300 },
  );
});

test("a deny that matches wins in its tier, and the user's tier counts only where the administrator's is silent", () => {
  fc.assert(
    fc.property(someRules(), someFacts, (rules, facts) => {
      const found = matching(rules, facts);
      const denies = (tier: Rule["tier"]) =>
        found.some((rule) => rule.tier === tier && rule.effect === "deny");
      const silent = !found.some((rule) => rule.tier === "administrator");
      if (denies("administrator") || denies("project") || (silent && denies("user"))) {
        expect(level(rules, facts)).toBe(strictness.deny);
      }
      const others = rules.filter(({ tier }) => tier !== "user");
      if (!silent) expect(createPolicy(rules).assess(facts)).toEqual(createPolicy(others).assess(facts));
    }),
    { numRuns: 300 },
  );
});

test("rules of a project never loosen a decision", () => {
  fc.assert(
    fc.property(
      someRules(["administrator", "user"]),
      someRules(["project"]),
      someFacts,
      (rules, project, facts) => {
        expect(level([...rules, ...project], facts)).toBeGreaterThanOrEqual(level(rules, facts));
      },
    ),
    { numRuns: 250 },
  );
});

test("what an untrusted server says of its tools never loosens a decision", () => {
  fc.assert(
    fc.property(someRules(), someFacts, (rules, facts) => {
      const silent = { ...facts, trusted: false, annotations: {} };
      const speaking = { ...facts, trusted: false };
      expect(level(rules, speaking)).toBeGreaterThanOrEqual(level(rules, silent));
    }),
    { numRuns: 250 },
  );
});

test("one more deny of the user never loosens, and no call is without a decision", () => {
  const strict = someRule(["user"]).map((rule) => ({ ...rule, effect: "deny" as const }));
  fc.assert(
    fc.property(someRules(["user"]), strict, someFacts, (rules, more, facts) => {
      const before = level(rules, facts);
      expect(level([...rules, ...readRule(more)], facts)).toBeGreaterThanOrEqual(before);
      expect([0, 1, 2]).toContain(before);
    }),
    { numRuns: 250 },
  );
});

test("an alias, and what else the model sees of a tool, is no part of a decision", () => {
  fc.assert(
    fc.property(someRules(), someFacts, (rules, facts) => {
      const policy = createPolicy(rules);
      // Another object of the same names, as another connection would bring it.
      const again = { ...facts, route: { ...facts.route } };
      expect(policy.assess(again)).toEqual(policy.assess(facts));
      expect(createPolicy(rules).assess(again)).toEqual(policy.assess(facts));
    }),
    { numRuns: 200 },
  );
});
