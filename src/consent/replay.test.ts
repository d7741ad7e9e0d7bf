import fc from "fast-check";
import { expect, test } from "vitest";
import { someFacts, someRule } from "../../test/support/policies.ts";
import type { AuditEntry } from "../types/audit.ts";
import type { Json } from "../types/json.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { PolicyChange, PolicyCheckSettings, PolicyRules, ResultLabels } from "../types/policy.ts";
import { createPolicy } from "./policy.ts";
import { checkPolicy } from "./replay.ts";
import { parseRules } from "./rules.ts";

let calls = 0;

interface Past {
  readonly server?: string;
  readonly tool?: string;
  readonly arguments?: Json;
  readonly by?: DecisionSource;
}

function ran({
  server = "fs",
  tool = "write",
  arguments: values = {},
  by = { type: "default" },
}: Past): AuditEntry {
  const common = {
    run: "run_1",
    turn: 1,
    call: `call_${calls++}`,
    server,
    tool,
    alias: `${server}__${tool}`,
  };
  const how = { reason: "", waitedMs: 0, configHash: "c", definitionHash: "d", argumentsHash: "h" };
  return { kind: "call_intended", ...common, ...how, arguments: values, decision: "allow", by, attempt: 1 };
}

function denied(past: Past, unasked = false): AuditEntry {
  const {
    decision: _,
    attempt: __,
    kind: ___,
    ...rest
  } = ran(past) as Extract<AuditEntry, { kind: "call_intended" }>;
  return { kind: "call_denied", ...rest, unasked };
}

const byRule: DecisionSource = { type: "rule", tier: "user", rule: "allow fs/*" };

function changes(
  entries: readonly AuditEntry[],
  rules: readonly string[],
  settings: PolicyCheckSettings = {},
): readonly string[] {
  const told = checkPolicy(entries, { rules }, settings).changes;
  return told.map(({ before, decision }: PolicyChange) => `${before} ${decision}`);
}

/** All servers are trusted, and none hints at anything. */
const known: PolicyCheckSettings = { toolOf: () => ({ trusted: true, annotations: {}, folder: "/srv" }) };

test("a call that the new rules decide otherwise is told, and one that they decide alike is counted", () => {
  const entries = [ran({ by: byRule }), ran({ by: byRule, tool: "read" })];
  expect(checkPolicy(entries, { rules: ["deny fs/write", "allow fs/read"] }, known)).toMatchObject({
    calls: 2,
    same: 1,
    changes: [
      {
        server: "fs",
        tool: "write",
        before: "allow",
        decision: "deny",
        reason: expect.stringContaining("denies it"),
      },
    ],
  });
});

test("what a person or a grant answered was asked by the policy, and so was what nobody could be asked", () => {
  const entries = [
    ran({ by: { type: "person", principal: "ann" } }),
    ran({ by: { type: "grant", id: "g" } }),
    denied({ by: { type: "person", principal: "ann" } }),
    denied({ by: { type: "default" } }, true),
  ];
  expect(changes(entries, [], known)).toEqual([]);
  expect(changes(entries, ["deny fs/*"])).toEqual(Array(4).fill("ask deny"));
});

test("each call is looked at once, however often it was tried", () => {
  const entry = ran({ by: byRule });
  const checked = checkPolicy([entry, { ...entry, attempt: 2 } as AuditEntry], { rules: ["deny */*"] });
  expect([checked.calls, checked.changes.length]).toEqual([1, 1]);
});

test("a decision that depends on hints or trust is not decided, and one that does not is", () => {
  const entries = [ran({ by: byRule })];
  expect(changes(entries, ["allow fs/*"])).toEqual(["allow undecided"]);
  expect(changes(entries, ["allow fs/*"], known)).toEqual([]);
  expect(changes(entries, ["deny fs/*"])).toEqual(["allow deny"]);
  expect(changes(entries, ["deny fs/* @trust=untrusted"], known)).toEqual(["allow ask"]);
  expect(changes(entries, ["deny fs/* @trust=untrusted"])).toEqual(["allow undecided"]);
  expect(changes(entries, ["deny fs/*", "ask fs/* @readOnly=true"])).toEqual(["allow deny"]);
});

test("arguments that were blanked out, or not kept, decide nothing", () => {
  const blanked = [ran({ by: byRule, arguments: { path: "/srv/⟨secret KEY, 12 chars⟩" } })];
  expect(changes(blanked, ["deny fs/* path=/srv/**"], known)).toEqual(["allow undecided"]);
  expect(changes(blanked, ["deny fs/* mode=x"], known)).toEqual(["allow undecided"]);
  const hashed = [ran({ by: byRule, arguments: null })];
  expect(changes(hashed, ["deny fs/* path=/srv/**"], known)).toEqual(["allow undecided"]);
  const whole = [ran({ by: byRule, arguments: { path: "/srv/x" } })];
  expect(changes(whole, ["deny fs/* path=/srv/**"], known)).toEqual(["allow deny"]);
});

test("a relative path needs the folder of its server", () => {
  const entries = [ran({ by: byRule, arguments: { path: "x" } })];
  expect(changes(entries, ["deny fs/* under(path)=/srv"])).toEqual(["allow undecided"]);
  expect(changes(entries, ["deny fs/* under(path)=/srv"], known)).toEqual(["allow deny"]);
});

test("whose calls they are is in the log, and what had been read is not", () => {
  const started: AuditEntry = { kind: "run_started", run: "run_1", principal: "bob", model: "m" };
  const entries = [ran({ by: byRule })];
  expect(changes([started, ...entries], ["deny */* @principal=bob"])).toEqual(["allow deny"]);
  expect(changes(entries, ["deny */* @principal=bob"])).toEqual(["allow undecided"]);
  expect(changes(entries, ["deny */* @flow=private->write"], known)).toEqual(["allow undecided"]);
});

test("what a run has read is in the log: a flow is asked about again, and its conditions are known", () => {
  const started: AuditEntry = { kind: "run_started", run: "run_1", principal: "bob", model: "m" };
  const settled = (labels: ResultLabels): AuditEntry => {
    const ids = { run: "run_1", turn: 1, call: "c", server: "fs", tool: "read", alias: "fs__read" };
    const how = { outcome: "answered", executed: "yes", attempt: 1, ms: 1, bytesIn: 1 } as const;
    return { kind: "call_settled", ...ids, ...how, labels };
  };
  const person = { by: { type: "person", principal: "bob" } } as const;
  const secret = settled({ trusted: true, openWorld: false, private: true });
  const page = settled({ trusted: false, openWorld: true, private: false });
  const send = ran({ server: "web", tool: "send", ...person });
  const outward: PolicyCheckSettings = { toolOf: () => ({ trusted: true, annotations: {}, folder: null }) };
  const rules = ["allow web/*"];
  expect(changes([started, secret, page, send], rules, outward)).toEqual([]);
  expect(changes([started, secret, page, send], rules, { ...outward, flows: "off" })).toEqual(["ask allow"]);
  expect(changes([started, secret, send], rules, outward)).toEqual(["ask allow"]);
  const asks = [...rules, "deny web/* @flow=private->open-world"];
  expect(changes([started, secret, send], asks, outward)).toEqual(["ask deny"]);
  expect(changes([started, page, send], asks, outward)).toEqual(["ask undecided"]);
});

test("what was asked because of a flow is asked again, whichever run had read", () => {
  const asked = denied({ server: "web", tool: "send", by: { type: "flow", flow: "x" } }, true);
  expect(
    changes([asked], ["allow web/*"], { toolOf: () => known.toolOf?.({ server: "", tool: "" }) ?? null }),
  ).toEqual([]);
});

test("a rule that is not valid is an error, whoever wrote it", () => {
  const broken: readonly PolicyRules[] = [
    { rules: ["allow"] },
    { administratorRules: ["allow"] },
    { projectRules: ["allow a/b"] },
  ];
  for (const rules of broken) expect(() => checkPolicy([], rules)).toThrow("is not valid");
});

test("where all is known of a call, a replay decides as the policy does", () => {
  const written = fc.array(
    someRule(["user"]).map(({ effect, server, tool, conditions }) =>
      [effect, `${server}/${tool}`, ...conditions.filter((text) => !/^@(mode|flow)/.test(text))].join(" "),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(written, someFacts, (rules, some) => {
      const facts = { ...some, origin: "model" as const, reads: { untrusted: false, private: false } };
      const { trusted, annotations, folder, principal, route } = facts;
      const { type } = createPolicy(parseRules(rules, "user")).assess(facts);
      const entry = ran({ ...route, arguments: facts.arguments, by: { type: "person", principal } });
      const toolOf = () => ({ trusted, annotations, folder });
      const [change] = checkPolicy([entry], { rules }, { toolOf, principal }).changes;
      if (type === "ask") expect(change).toBe(undefined);
      else expect(change?.decision).toBe(type);
    }),
    { numRuns: 300 },
  );
});
