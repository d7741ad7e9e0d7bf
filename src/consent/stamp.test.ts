import { expect, test } from "vitest";
import { makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ConsentContext } from "../types/consent.ts";
import type { ApprovedCall } from "../types/outcome.ts";
import type { HostConsent } from "./consent.ts";

const tool = makeTool();

async function approve(consent: HostConsent, context: ConsentContext = makeContext()): Promise<ApprovedCall> {
  const verdict = await consent.decide([makeCall(tool)], context)[0];
  if (verdict?.type !== "approved") throw new Error("expected an approved call");
  return verdict.approved;
}

const allowAll = { rules: ["allow */*"] };

test("an approved call may run, and be retried, while nothing changed", async () => {
  const { consent } = makeConsent(allowAll);
  const approved = await approve(consent);
  expect(consent.recheck(approved, tool)).toBeNull();
  expect(consent.recheck(approved, makeTool())).toBeNull();
});

test("a call that this consent did not approve may not run: forged, copied, or approved by another", async () => {
  const { consent } = makeConsent(allowAll);
  const approved = await approve(consent);
  const other = await approve(makeConsent(allowAll).consent);
  for (const forged of [{ ...approved }, { ...approved, call: makeCall(tool, { other: 1 }) }, other]) {
    expect(consent.recheck(forged, tool)).toContain("never allowed");
  }
});

test("what was approved cannot be changed afterwards", async () => {
  const approved = await approve(makeConsent(allowAll).consent);
  expect(Object.isFrozen(approved)).toBe(true);
  expect(Object.isFrozen(approved.decision)).toBe(true);
  expect(Object.isFrozen(approved.call)).toBe(true);
});

test("a call whose arguments are not the text that was shown may not run, and those of an approved one are frozen", async () => {
  const { consent } = makeConsent(allowAll);
  const call = { ...makeCall(tool, { to: "bob" }), argumentsJson: '{"to":"mallory"}' };
  const [verdict] = await Promise.all(consent.decide([call], makeContext()));
  if (verdict?.type !== "approved") return expect.unreachable();
  expect(consent.recheck(verdict.approved, tool)).toBe("Its arguments are not those that were shown.");
  expect(() => Object.assign(verdict.approved.call.arguments, { to: "mallory" })).toThrow(TypeError);
});

test("a tool that is gone, or changed in definition, configuration or trust, may not run", async () => {
  const { consent } = makeConsent(allowAll);
  const approved = await approve(consent);
  expect(consent.recheck(approved, null)).toContain("no longer offers");
  expect(consent.recheck(approved, makeTool({ listed: false }))).toContain("no longer offers");
  expect(consent.recheck(approved, makeTool({ description: "new" }))).toContain("definition");
  expect(consent.recheck(approved, makeTool({ configHash: "config-2" }))).toContain("configuration");
  expect(consent.recheck(approved, makeTool({ trusted: true }))).toContain("trust");
});

test("a call that a grant allowed may not run once the grant is taken back", async () => {
  const { consent } = makeConsent({
    approve: (request) => {
      for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "conversation" });
    },
  });
  const context = makeContext();
  await approve(consent, context);
  const granted = await approve(consent, context);
  expect(granted.decision.by.type).toBe("grant");
  expect(consent.recheck(granted, tool)).toBeNull();
  context.grants.answers.clear();
  expect(consent.recheck(granted, tool)).toContain("taken back");
});
