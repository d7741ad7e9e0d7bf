import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import { createConsent } from "./consent.ts";

const write = makeTool({ server: "fs", name: "write" });

test("where a rule of the administrator matches, the user's are not looked at; elsewhere they hold", async () => {
  const { consent } = makeConsent({
    administratorRules: ["deny fs/* under(path)=/etc", "allow fs/write under(path)=/tmp"],
    rules: ["deny fs/*", "allow db/*"],
  });
  expect(await decisionOf(consent, makeCall(write, { path: "/tmp/x" }))).toContain("allow by rule");
  expect(await decisionOf(consent, makeCall(write, { path: "/etc/x" }))).toContain("deny by rule");
  expect(await decisionOf(consent, makeCall(write, { path: "/srv/x" }))).toContain("deny by rule");
  expect(await decisionOf(consent, makeCall(makeTool({ server: "db" })))).toContain("allow by rule");
});

test("a broken rule is an error at once, in every tier and where it is only tried out", () => {
  const base = { rules: [], approve: null, clock: createTestClock() };
  for (const wrong of [
    { rules: ["allow fs/x regex(path)=("] },
    { administratorRules: ["allow fs"] },
    { projectRules: ["allow fs/x"] },
    { shadowRules: ["deny fs/x @mode=never"] },
  ]) {
    expect(() => createConsent({ ...base, ...wrong })).toThrow(HostError);
  }
});

test("a message behind a rule that denies is what the model reads", async () => {
  const { consent } = makeConsent({ rules: ['deny fs/* @message="Use the archive instead."'] });
  expect(await decisionOf(consent, makeCall(write))).toContain("denies it: Use the archive instead.");
});

test("rules that are tried out change no decision; where they would is told and stands with the decision", async () => {
  const { consent } = makeConsent({
    rules: ["allow fs/*", "deny db/*"],
    shadowRules: ["deny fs/write", "allow fs/read", "allow db/*"],
  });
  const context = makeContext();
  const calls = [
    makeCall(write),
    makeCall(makeTool({ server: "fs", name: "read" })),
    makeCall(makeTool({ server: "db", name: "drop" })),
  ];
  const [first, second, third] = await Promise.all(consent.decide(calls, context));
  expect(first).toMatchObject({
    type: "approved",
    approved: { decision: { type: "allow", shadow: { decision: "deny", by: { rule: "deny fs/write" } } } },
  });
  expect(second?.type === "approved" && "shadow" in second.approved.decision).toBe(false);
  expect(third).toMatchObject({ type: "denied", decision: { shadow: { decision: "allow" } } });
  expect(context.events).toEqual([
    {
      type: "warning",
      code: "policy_shadow",
      text: "The policy that is tried out would deny fs/write, not allow it. The rule `deny fs/write` denies it.",
    },
    {
      type: "warning",
      code: "policy_shadow",
      text: "The policy that is tried out would allow db/drop, not deny it. The rule `allow db/*` allows it.",
    },
  ]);
});

test("what is tried out stands also with what a person answered, and the administrator's and project's rules hold in it", async () => {
  const { consent, requests } = makeConsent({
    rules: [],
    shadowRules: ["allow fs/*"],
    administratorRules: ["ask fs/admin"],
    projectRules: ["ask fs/project"],
  });
  const names = ["write", "admin", "project"];
  const calls = names.map((name) => makeCall(makeTool({ server: "fs", name })));
  const verdicts = consent.decide(calls, makeContext());
  for (const { id } of requests[0]?.questions ?? [])
    requests[0]?.answer(id, { type: "allow", scope: "once" });
  const decided = await Promise.all(verdicts);
  const shadows = decided.map((verdict) =>
    verdict.type === "approved" ? verdict.approved.decision.shadow?.decision : "denied",
  );
  expect(shadows).toEqual(["allow", undefined, undefined]);
});

test("a path is read from the folder that its server works in", async () => {
  const { consent } = makeConsent({
    rules: ["allow fs/write under(path)=/srv/app"],
    approve: null,
    folderOf: (server) => (server === "fs" ? "/srv/app" : null),
  });
  expect(await decisionOf(consent, makeCall(write, { path: "src/x" }))).toContain("allow by rule");
  expect(await decisionOf(consent, makeCall(write, { path: "../x" }))).toContain("deny");
  expect(await decisionOf(consent, makeCall(makeTool({ server: "db" }), { path: "src/x" }))).toContain(
    "deny",
  );
});

test("what the run has read decides, and the rule that would allow it is named where nobody can be asked", async () => {
  const { consent } = makeConsent({ rules: ["allow fs/*"], approve: null });
  const reads = { untrusted: true, private: true };
  const text = await decisionOf(consent, makeCall(write), makeContext({ reads }));
  expect(text).toContain("add the rule: allow fs/write @flow=private->open-world");
  const allowing = makeConsent({
    rules: ["allow fs/*", "allow fs/write @flow=private->open-world"],
    approve: null,
  });
  expect(await decisionOf(allowing.consent, makeCall(write), makeContext({ reads }))).toContain(
    "allow by rule",
  );
  expect(await decisionOf(consent, makeCall(write))).toContain("allow by rule");
});

test("what an administrator tries out stands in the place of the administrator's rules, beside the user's", async () => {
  const { consent } = makeConsent({
    administratorRules: ["deny fs/write"],
    administratorShadowRules: ["allow fs/read"],
    rules: ["ask fs/*"],
  });
  const calls = ["write", "read", "list"].map((name) => makeCall(makeTool({ server: "fs", name })));
  const context = makeContext();
  consent.decide(calls, context);
  const told = context.events.flatMap((event) => (event.type === "warning" ? [event.text] : []));
  expect(told).toEqual([
    "The policy that is tried out would ask fs/write, not deny it. The rule `ask fs/*` asks for it.",
    "The policy that is tried out would allow fs/read, not ask it. The rule `allow fs/read` allows it.",
  ]);
  const broken = { rules: [], administratorShadowRules: ["allow"], approve: null, clock: createTestClock() };
  expect(() => createConsent(broken)).toThrow(HostError);
});

test("a rule for a server that is not there is odd of a user, and not of an administrator", () => {
  const rules = { rules: ["deny user/*"], administratorRules: ["deny administrator/*"] };
  const settings = { ...rules, approve: null, clock: createTestClock(), servers: ["fs"] };
  expect(createConsent(settings).warnings).toEqual([
    "The rule `deny user/*` names no server of this host and matches nothing.",
  ]);
});
