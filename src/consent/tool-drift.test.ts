import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { DefinitionThen } from "../types/definitions.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { CatalogTool, ToolAnnotations } from "../types/tool.ts";
import { assessDrift, type Drift, driftWarnings, unexpectedReason } from "./drift.ts";
import type { Assessment } from "./policy.ts";

const tool = makeTool({ description: "new" });
const call = makeCall(tool);
const { definition, definitionHash } = makeTool({ description: "old" });
const before: DefinitionThen = { definitionHash, definition, at: "2026-01-02T00:00:00.000Z" };
const changed: Drift = { before: (one: CatalogTool) => (one === tool ? before : null), accept: () => {} };
const sentence = "Its definition changed since it was first seen on 2026-01-02.";
const text = "description: [-old-]{+new+}";

const readOnly: DecisionSource = { type: "hint", hint: "readOnlyHint" };
const rule: DecisionSource = { type: "rule", tier: "user", rule: "allow */*" };

function assessment(type: Assessment["type"], by: DecisionSource): Assessment {
  return { type, by, reason: "why", warnings: ["w"], grantable: false } as unknown as Assessment;
}

const byDefault: DecisionSource = { type: "default" };
const flow: DecisionSource = { type: "flow", flow: "f" };
const stillAllowed = () => assessment("allow", rule);

test("a changed tool that its server's word would allow is asked about, and may be granted", () => {
  expect(
    assessDrift(call, assessment("allow", readOnly), changed, () => assessment("ask", byDefault)),
  ).toMatchObject({
    type: "ask",
    by: readOnly,
    reason: `${sentence} What its server says of it is asked about once.`,
    grantable: true,
    warnings: ["w"],
  });
});

test("a changed tool that a rule allows stays allowed, with a warning", () => {
  expect(assessDrift(call, assessment("allow", rule), changed, stillAllowed)).toMatchObject({
    type: "allow",
    warnings: ["w", sentence],
    reason: "why",
  });
});

test("a changed tool that a rule allows by its server's word alone is asked about", () => {
  const asked = (otherwise: Assessment) =>
    assessDrift(call, assessment("allow", rule), changed, () => otherwise);
  const once = `${sentence} What its server says of it is asked about once.`;
  expect(asked({ ...assessment("ask", flow), grantable: true, privateFrom: ["x"] })).toEqual({
    ...{ type: "ask", by: flow, reason: `${once} why`, warnings: ["w"], grantable: true, privateFrom: ["x"] },
    doubted: true,
  });
  expect(asked(assessment("deny", rule))).toEqual({
    ...{ type: "ask", by: rule, reason: once, warnings: ["w"], grantable: false },
    doubted: true,
  });
  const shadow = { decision: "deny", by: rule, reason: "tried" } as const;
  const tried = assessDrift(call, { ...assessment("allow", rule), shadow }, changed, () =>
    assessment("ask", flow),
  );
  expect(tried.shadow).toBe(shadow);
  const both = assessDrift(call, assessment("allow", readOnly), changed, () => assessment("ask", flow));
  expect(both).toMatchObject({ type: "ask", by: flow, grantable: false });
});

test("while a change is not accepted, rules and flows do not go by what its server says it does not do", async () => {
  const drift: Drift = { before: () => before, accept: () => {} };
  const reads = { untrusted: true, private: true, privateFrom: ["notes"] };
  const decided = (annotations: ToolAnnotations, rules: string[], more: object = {}) => {
    const changed = makeCall(makeTool({ server: "chat", name: "send", annotations, trusted: true }));
    const { consent } = makeConsent({ approve: null, rules, drift, ...more });
    return decisionOf(consent, changed, makeContext({ reads }));
  };
  const closed = { openWorldHint: false };
  expect(await decided(closed, ["allow chat/*"])).toMatch(/^deny by flow: .* asked about once\. .*@flow=/);
  expect(await decided(closed, ["allow chat/*"], { drift: undefined })).toMatch(/^allow by rule/);
  expect(await decided(closed, ["allow chat/*"], { flows: "off" })).toMatch(/^allow by rule/);
  const reading = { readOnlyHint: true, openWorldHint: false, destructiveHint: false };
  for (const word of ["readOnly=true", "destructive=false", "openWorld=false"]) {
    const rules = [`allow chat/* @${word}`];
    expect(await decided(reading, rules, { flows: "off" })).toMatch(/^deny by default: .*asked about once/);
  }
});

test("what a server says that its changed tool does is believed: no rule is suggested that would not do", async () => {
  const drift: Drift = { before: () => before, accept: () => {} };
  const reads = { untrusted: true, private: true, privateFrom: ["chat"] };
  const denied = (annotations: ToolAnnotations) => {
    const tool = makeTool({ server: "chat", name: "send", annotations, trusted: true });
    const { consent } = makeConsent({ approve: null, drift });
    return decisionOf(consent, makeCall(tool, { to: "ann" }), makeContext({ reads }));
  };
  expect(await denied({ destructiveHint: true })).toMatch(/add the rule: allow chat\/send to=ann$/);
  expect(await denied({ openWorldHint: true })).toMatch(/allow chat\/send @flow=private->open-world$/);
});

test("an explanation says what a run does with a tool whose change is not accepted", async () => {
  const drift: Drift = { before: () => before, accept: () => {} };
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const reads = { untrusted: true, private: true, privateFrom: ["notes"] };
  const changed = makeCall(makeTool({ server: "chat", name: "send", annotations, trusted: true }));
  for (const rules of [[], ["allow chat/* @readOnly=true"], ["allow chat/*"], ["deny chat/*"]]) {
    const { consent } = makeConsent({ approve: null, rules, drift });
    const { decision, reason, steps, suggestedRule } = consent.explain(changed, { principal: "ann", reads });
    const ran = await decisionOf(consent, changed, makeContext({ reads }));
    expect(ran).toContain(decision === "allow" ? "allow by" : "deny by");
    if (decision !== "ask") continue;
    expect(ran).toContain(reason);
    expect(ran.split("add the rule: ").at(-1)).toBe(suggestedRule);
    expect(steps.map(({ stage, effect }) => `${stage} ${effect}`).at(-1)).toBe("drift ask");
  }
  const hinted = makeConsent({ approve: null, drift }).consent.explain(changed, { principal: "ann" });
  expect(hinted).toMatchObject({ decision: "ask", suggestedRule: "allow chat/send" });
  const { consent } = makeConsent({ approve: null, rules: ["allow chat/*"], drift });
  expect(consent.explain(changed, { principal: "ann" })).toMatchObject({
    decision: "allow",
    warnings: [sentence],
    steps: [{ stage: "user" }],
  });
});

test("what is asked, denied or the host's own stays as it is, and so does a tool that did not change", () => {
  for (const one of [
    assessment("ask", readOnly),
    assessment("ask", rule),
    assessment("deny", rule),
    assessment("deny", readOnly),
    assessment("allow", { type: "builtin" }),
  ]) {
    expect(assessDrift(call, one, changed, stillAllowed)).toBe(one);
  }
  const allowed = assessment("allow", rule);
  expect(assessDrift(makeCall(makeTool()), allowed, changed, stillAllowed)).toBe(allowed);
});

test("a tool of which is only known that it was used says so", () => {
  const unknown: Drift = { before: () => ({ ...before, definitionHash: "" }), accept: () => {} };
  const told = "It is not known whether its definition changed since it was last used.";
  expect(driftWarnings(call, [], unknown)).toEqual([told]);
  expect(assessDrift(call, assessment("allow", rule), unknown, stillAllowed).warnings).toEqual(["w", told]);
});

test("a question tells what changed once, and what is odd about the tool's name", () => {
  const odd = makeCall({ ...tool, warnings: ["odd"] });
  const drift: Drift = { before: () => before, accept: () => {} };
  expect(driftWarnings(odd, [], drift)).toEqual([sentence, text, "odd"]);
  expect(driftWarnings(odd, ["told"], drift)).toEqual(["told", "odd"]);
  expect(driftWarnings(makeCall(makeTool()), [], changed)).toEqual([]);
});

test("a denial where nobody can be asked tells why, where a rule or an answer seemed to allow the call", () => {
  expect(unexpectedReason(assessment("ask", readOnly))).toBe("why ");
  expect(unexpectedReason(assessment("ask", { type: "hint", hint: "destructiveHint" }))).toBe("why ");
  expect(unexpectedReason(assessment("ask", { type: "flow", flow: "f" }))).toBe("why ");
  expect(unexpectedReason(assessment("ask", rule))).toBe("");
});
