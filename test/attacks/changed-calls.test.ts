import { expect, test } from "vitest";
import { createConsent } from "../../src/consent/consent.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { ApprovedCall } from "../../src/types/outcome.ts";
import type { ToolCall } from "../../src/types/tool.ts";
import { systemClock } from "../../src/util/clock.ts";
import { makeContext } from "../support/consent.ts";
import { makeCall, makeTool } from "../support/tools.ts";
import { attack, calling, entriesOf } from "./attack.ts";

/** Does what may throw, because it is frozen. */
function attempt(change: () => unknown): void {
  try {
    change();
  } catch {}
}

test("who is asked cannot change the call between the question and its sending", async () => {
  const server = fakeServer([textTool("send", () => "sent")]);
  const { audit, shown } = await attack(
    [calling({ name: "mail__send", input: { to: "bob", more: { cc: ["ann"] } } })],
    { mail: server },
    {
      person(question) {
        const [call] = question.calls;
        const { more } = call.arguments as { more: { cc: string[] } };
        attempt(() => Object.assign(call.arguments, { to: "mallory" }));
        attempt(() => more.cc.push("mallory"));
        attempt(() => Object.defineProperty(call, "arguments", { value: { to: "mallory" } }));
        attempt(() => Object.defineProperty(call, "argumentsJson", { value: '{"to":"mallory"}' }));
        attempt(() => Object.assign(call.tool.route, { server: "other" }));
        attempt(() => Object.setPrototypeOf(call.arguments, { bcc: "mallory" }));
        return { type: "allow", scope: "once" };
      },
    },
  );
  const sent = { to: "bob", more: { cc: ["ann"] } };
  expect(server.calls).toEqual([{ name: "send", arguments: sent }]);
  expect(shown[0]).toContain('"bob"');
  expect(entriesOf(audit, "call_intended")).toMatchObject([{ arguments: sent }]);
});

/** A call that was allowed by a rule, and what decides whether it may run. */
async function allowed(call: ToolCall = makeCall(makeTool(), { path: "a" })) {
  const consent = createConsent({ rules: ["allow */*"], approve: null, clock: systemClock });
  const [deciding] = consent.decide([call], makeContext());
  const verdict = await deciding;
  if (verdict?.type !== "approved") throw new Error("It was not allowed.");
  return { consent, approved: verdict.approved, tool: call.tool };
}

const copies: readonly (readonly [string, (approved: ApprovedCall) => ApprovedCall])[] = [
  ["a copy of it", (approved) => ({ ...approved })],
  ["a deep copy of it", (approved) => structuredClone(approved)],
  ["what inherits from it", (approved) => Object.create(approved) as ApprovedCall],
  ["a proxy of it", (approved) => new Proxy(approved, {})],
  ["one with another call", (approved) => ({ ...approved, call: makeCall(makeTool(), { path: "b" }) })],
];

test.each(copies)("an allowed call may run, and %s may not", async (_, forge) => {
  const { consent, approved, tool } = await allowed();
  expect(consent.recheck(approved, tool)).toBeNull();
  expect(consent.recheck(forge(approved), tool)).toMatch(/never allowed/);
});

test("what one host allowed may not run at another, whose rules allow the same", async () => {
  const [one, other] = [await allowed(), await allowed()];
  expect(other.consent.recheck(one.approved, one.tool)).toMatch(/never allowed/);
});

test("a call whose arguments are not those of its text may not run, although it was allowed", async () => {
  const tool = makeTool();
  const call = { ...makeCall(tool, { path: "a" }), argumentsJson: '{"path":"b"}' };
  const { consent, approved } = await allowed(call);
  expect(consent.recheck(approved, tool)).toMatch(/not those that were shown/);
});

test.each<[string, object | null]>([
  ["its server's command", { configHash: "another" }],
  ["its definition", { definitionHash: "another" }],
  ["the trust in its server", { trusted: true }],
  ["that it is listed", { listed: false }],
  ["that it is there", null],
])("an allowed call may not run once %s is another", async (_, change) => {
  const { consent, approved, tool } = await allowed();
  const now = change === null ? null : { ...tool, ...change };
  expect(consent.recheck(approved, now)).not.toBeNull();
});

test("arguments with a key twice, a number that changes when it is read, or more than one value reach nobody", async () => {
  const server = fakeServer([textTool("send", () => "sent")]);
  const inputs = [
    '{"to":"bob","to":"mallory"}',
    '{"to":"bob","\\u0074o":"mallory"}',
    '{"n":9007199254740993}',
    '{"n":1e999}',
    '{"to":"bob"}{"to":"mallory"}',
    '{"to":"bob",}',
    '["bob"]',
    '"bob"',
  ];
  const { decisions, told } = await attack(
    inputs.map((input) => calling({ name: "mail__send", input })),
    { mail: server },
    { policy: { rules: ["allow */*"], flows: "off" }, limits: { turns: 20 } },
  );
  expect(told).toHaveLength(inputs.length);
  expect(decisions).toEqual([]);
  expect(server.calls).toEqual([]);
});
