import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ApprovalAnswer } from "../types/approval.ts";
import { builtinServer } from "../types/tool.ts";

const call = () => makeCall(makeTool(), { command: "ls" });

test("a turn without calls has no verdicts, and one with a question has one for its place alone", async () => {
  const { consent, requests } = makeConsent();
  expect(consent.decide([], makeContext())).toEqual([]);
  expect(requests).toEqual([]);
  const allowed = makeCall({ ...makeTool(), route: { server: builtinServer, tool: "read" } });
  const verdicts = consent.decide([allowed, call()], makeContext());
  expect(Object.keys(verdicts)).toEqual(["0", "1"]);
  expect(Object.keys(consent.decide([allowed], makeContext()))).toEqual(["0"]);
});

test("a host with an approver is interactive to its rules, and one without is headless", async () => {
  const rules = ["allow */* @mode=interactive", "deny */* @mode=headless"];
  expect(await decisionOf(makeConsent({ rules }).consent, call())).toMatch(/^allow by rule/);
  expect(await decisionOf(makeConsent({ rules, approve: null }).consent, call())).toMatch(/^deny by rule/);
});

test("without the folder of a server a relative path is in none", async () => {
  const rules = ["allow */* under(command)=/srv"];
  const at = (command: string) => makeCall(makeTool(), { command });
  const { consent } = makeConsent({ rules, approve: null });
  expect(await decisionOf(consent, at("/srv/x"))).toMatch(/^allow/);
  expect(await decisionOf(consent, at("x"))).toMatch(/^deny/);
  const inFolder = makeConsent({ rules, approve: null, folderOf: () => "/srv" }).consent;
  expect(await decisionOf(inFolder, at("x"))).toMatch(/^allow/);
});

test("without a store of grants nothing is offered for good", async () => {
  const { consent, requests } = makeConsent();
  void consent.decide([call()], makeContext());
  await Promise.resolve();
  expect(requests[0]?.questions[0]?.scopes).toEqual(["once", "conversation"]);
});

test.each<[string, ApprovalAnswer, Record<string, unknown>]>([
  ["an allow", { type: "allow", scope: "once" }, { type: "allow", waitedMs: 7 }],
  [
    "a denial",
    { type: "deny" },
    { type: "deny", waitedMs: 7, unasked: false, reason: "Denied by the person." },
  ],
  [
    "a denial with a word",
    { type: "deny", message: "later" },
    { type: "deny", waitedMs: 7, reason: "Denied by the person: later" },
  ],
])("%s has the time from the question to the answer", async (_, answer, expected) => {
  const { consent, requests, clock } = makeConsent();
  await clock.advance(1_000);
  const one = call();
  const [verdict] = consent.decide([{ ...one, warnings: ["w"] }], makeContext());
  await clock.advance(7);
  requests[0]?.answer(requests[0].questions[0]?.id ?? "", answer);
  const settled = await verdict;
  const decision = settled?.type === "approved" ? settled.approved.decision : settled?.decision;
  expect(decision).toMatchObject({ ...expected, by: { type: "person", principal: "ann" } });
  if (decision?.type === "allow") {
    expect(decision.warnings.filter((text) => !text.startsWith("It may reach outside"))).toEqual(["w"]);
  }
});

test("a question that nobody answers is denied with the time that it was open", async () => {
  const { consent, clock, finish } = makeConsent();
  await clock.advance(1_000);
  const [verdict] = consent.decide([call()], makeContext());
  await clock.advance(5);
  finish();
  expect(await verdict).toMatchObject({
    decision: {
      by: { type: "default" },
      unasked: false,
      waitedMs: 5,
      reason: expect.stringMatching(/^Denied: /),
    },
  });
});

test("a denial where nobody can be asked names the rule that would allow the call, where one is enough", async () => {
  const { consent } = makeConsent({ approve: null });
  const [verdict] = await Promise.all(consent.decide([call()], makeContext()));
  expect(verdict).toMatchObject({ decision: { unasked: true, rule: expect.stringMatching(/^allow /) } });
  const project = makeConsent({ approve: null, projectRules: ["ask */*"] }).consent;
  const [other] = await Promise.all(project.decide([call()], makeContext()));
  expect(other?.type === "denied" && other.decision).not.toHaveProperty("rule");
  expect(other).toMatchObject({
    decision: { reason: expect.stringContaining("No single rule would allow it.") },
  });
});

test("what decides a call is explained as for a call of the model", () => {
  const { consent } = makeConsent({ rules: ["deny workspace/run_command"] });
  expect(consent.explain(call(), makeContext())).toMatchObject({ decision: "deny" });
});
