import fc from "fast-check";
import { expect, test } from "vitest";
import { someFacts, someRules } from "../../test/support/policies.ts";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { CallFacts } from "../types/policy.ts";
import { noDrift } from "./drift.ts";
import { explainCall } from "./explain.ts";
import { createPolicy } from "./policy.ts";
import { parseProjectRules, parseRules, type Rule } from "./rules.ts";
import { createShadow } from "./shadow.ts";

const redact = (text: string) => text.replaceAll("hunter2", "⟨secret⟩");
const shadow = createShadow(null);
const call = { tool: makeTool() };
const explained = (rules: readonly Rule[], facts: CallFacts, tried: readonly string[] | null = null) => {
  const triedRules = tried === null ? null : parseRules(tried, "user");
  const settings = { policy: createPolicy(rules), shadow: createShadow(triedRules), redact, drift: noDrift };
  return explainCall(settings, call, facts);
};

test("every rule whose names fit is told, with the condition that failed, and the one that decides", () => {
  const rules = [
    ...parseRules(["ask fs/* under(path)=/etc"], "administrator"),
    ...parseRules(["allow fs/read mode=fast path=/srv/**", "allow fs/*", "deny db/*"], "user"),
    ...parseRules(["deny fs/read @mode=headless"], "project"),
  ];
  const facts = makeFacts(makeTool({ server: "fs", name: "read" }), { mode: "fast", path: "/home/x" });
  expect(explained(rules, facts)).toEqual({
    decision: "allow",
    by: { type: "rule", tier: "user", rule: "allow fs/*" },
    reason: "The rule `allow fs/*` allows it.",
    hidden: false,
    grantable: true,
    warnings: [],
    steps: [
      {
        stage: "user",
        effect: "allow",
        by: { type: "rule", tier: "user", rule: "allow fs/*" },
        reason: "The rule `allow fs/*` allows it.",
      },
    ],
    rules: [
      {
        tier: "administrator",
        rule: "ask fs/* under(path)=/etc",
        effect: "ask",
        matches: false,
        failed: "under(path)=/etc",
        decides: false,
      },
      { tier: "user", rule: "allow fs/*", effect: "allow", matches: true, decides: true },
      {
        tier: "user",
        rule: "allow fs/read mode=fast path=/srv/**",
        effect: "allow",
        matches: false,
        failed: "path=/srv/**",
        decides: false,
      },
      {
        tier: "project",
        rule: "deny fs/read @mode=headless",
        effect: "deny",
        matches: false,
        failed: "@mode=headless",
        decides: false,
      },
    ],
  });
});

test("each step that changed the decision is told: the base, hints, the project, flows", () => {
  const stepsWith = (project: readonly string[]) => {
    const rules = [...parseRules(["allow web/*"], "user"), ...parseProjectRules(project)];
    const { steps, decision } = explained(rules, facts);
    return [...steps.map(({ stage, effect }) => `${stage} ${effect}`), decision];
  };
  const tool = makeTool({ server: "web", name: "wipe", annotations: { destructiveHint: true } });
  const facts = makeFacts(tool, {}, { reads: { untrusted: true, private: true } });
  expect(stepsWith(["ask web/other"])).toEqual(["user allow", "hints ask", "flow ask", "ask"]);
  expect(stepsWith(["deny web/wipe"])).toEqual(["user allow", "hints ask", "project deny", "deny"]);
});

test("where it would be asked, a rule is told that would allow it, and never one that names a secret", () => {
  const suggested = (rules: string[], values: Record<string, string>) => {
    const facts = makeFacts(makeTool({ server: "fs", name: "put" }), values);
    return explained(parseRules(rules, "user"), facts).suggestedRule;
  };
  expect(suggested([], { path: "a" })).toBe("allow fs/put");
  expect(suggested(["ask fs/put path=*"], { path: "a" })).toBe("allow fs/put path=a");
  expect(suggested(["ask fs/put path=*"], { path: "hunter2" })).toBeUndefined();
  expect(suggested(["deny fs/put"], { path: "a" })).toBeUndefined();
  expect(suggested(["allow fs/put"], { path: "a" })).toBeUndefined();
});

test("what the rules that are tried out would decide is told where it differs", () => {
  const facts = makeFacts(makeTool({ server: "fs", name: "put" }), {});
  const rules = parseRules(["allow fs/*"], "user");
  expect(explained(rules, facts, ["deny fs/put"])).toMatchObject({
    decision: "allow",
    shadow: { decision: "deny", by: { rule: "deny fs/put" } },
  });
  expect(explained(rules, facts, ["allow fs/put"])).not.toHaveProperty("shadow");
});

test("the last step is what the policy decides, for any rules and calls", () => {
  fc.assert(
    fc.property(someRules(), someFacts, (rules, facts) => {
      const policy = createPolicy(rules);
      const {
        steps,
        decision,
        by,
        rules: read,
      } = explainCall({ policy, shadow, redact, drift: noDrift }, call, facts);
      const last = steps.at(-1);
      expect({ decision, by }).toMatchObject({ decision: policy.assess(facts).type, by: last?.by });
      expect(last?.effect === "hide" ? "deny" : last?.effect).toBe(decision);
      for (const { matches, failed } of read) expect(failed === undefined).toBe(matches);
    }),
    { numRuns: 300 },
  );
});
