import { expect, test } from "vitest";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { DefinitionThen } from "../types/definitions.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { CatalogTool } from "../types/tool.ts";
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

test("a changed tool that its server's word would allow is asked about, and may be granted", () => {
  expect(assessDrift(call, assessment("allow", readOnly), changed)).toMatchObject({
    type: "ask",
    by: readOnly,
    reason: `${sentence} What its server says of it is asked about once.`,
    grantable: true,
    warnings: ["w"],
  });
});

test("a changed tool that a rule allows stays allowed, with a warning", () => {
  expect(assessDrift(call, assessment("allow", rule), changed)).toMatchObject({
    type: "allow",
    warnings: ["w", sentence],
    reason: "why",
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
    expect(assessDrift(call, one, changed)).toBe(one);
  }
  const allowed = assessment("allow", rule);
  expect(assessDrift(makeCall(makeTool()), allowed, changed)).toBe(allowed);
});

test("a tool of which is only known that it was used says so", () => {
  const unknown: Drift = { before: () => ({ ...before, definitionHash: "" }), accept: () => {} };
  const told = "It is not known whether its definition changed since it was last used.";
  expect(driftWarnings(call, [], unknown)).toEqual([told]);
  expect(assessDrift(call, assessment("allow", rule), unknown).warnings).toEqual(["w", told]);
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
