import { expect, test } from "vitest";
import type { AuditEntry } from "../types/audit.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { PolicyCheckSettings, PolicyRules, ResultLabels } from "../types/policy.ts";
import { builtinServer } from "../types/tool.ts";
import { checkPolicy, createReplay } from "./replay.ts";

type Intended = Extract<AuditEntry, { kind: "call_intended" }>;

const byDefault: DecisionSource = { type: "default" };
const common = {
  run: "r",
  turn: 1,
  alias: "s__t",
  argumentsHash: "",
  configHash: "c",
  definitionHash: "d",
  reason: "",
  waitedMs: 0,
};

function intended(parts: Partial<Intended> = {}): Intended {
  const by: DecisionSource = { type: "rule", tier: "user", rule: "allow */*" };
  const of = { call: "c1", server: "s", tool: "t", arguments: { p: "x" } };
  return { kind: "call_intended", ...common, ...of, decision: "allow", by, attempt: 1, ...parts };
}

function denied(by: DecisionSource, unasked = false): AuditEntry {
  const { attempt: _, ...rest } = intended();
  return { ...rest, kind: "call_denied", decision: "deny", by, unasked };
}

const settled = (labels?: ResultLabels): AuditEntry => ({
  kind: "call_settled",
  ...{
    run: "r",
    turn: 1,
    call: "c0",
    server: "s",
    tool: "t",
    alias: "s__t",
    configHash: "c",
    definitionHash: "d",
  },
  ...{ attempt: 1, ms: 1, outcome: "answered", executed: "yes", bytesIn: 0 },
  ...(labels === undefined ? {} : { labels }),
});

/** `before>after` of each call that is decided otherwise. */
function changes(records: readonly AuditEntry[], rules: PolicyRules, settings: PolicyCheckSettings = {}) {
  return checkPolicy(records, rules, settings).changes.map(({ before, decision }) => `${before}>${decision}`);
}

/** Of a tool whose hints are known a rule without conditions decides alone. */
const known: PolicyCheckSettings = { toolOf: () => ({ trusted: true, annotations: {}, folder: null }) };

test("what the policy decided then is told apart from what a person or a grant answered", () => {
  const deny: PolicyRules = { rules: ["deny */*"] };
  const grant: DecisionSource = { type: "grant", id: "g" };
  const person: DecisionSource = { type: "person", principal: "ann" };
  const flow: DecisionSource = { type: "flow", flow: "untrusted→write" };
  expect(changes([intended()], deny)).toEqual(["allow>deny"]);
  for (const by of [grant, person, flow]) expect(changes([intended({ by })], deny)).toEqual(["ask>deny"]);
  const rule: DecisionSource = { type: "rule", tier: "user", rule: "deny */*" };
  const ask: PolicyRules = { rules: ["ask */*"] };
  expect(changes([denied(rule)], ask)).toEqual(["deny>ask"]);
  expect(changes([denied(rule, true)], deny)).toEqual(["ask>deny"]);
  for (const by of [byDefault, { type: "hint", hint: "destructiveHint" } as const, person]) {
    expect(changes([denied(by)], deny)).toEqual(["ask>deny"]);
  }
  expect(changes([denied(rule)], deny)).toEqual([]);
});

test("a call counts once, other records are no calls, and those that are the same are counted", () => {
  const again = intended({ attempt: 2 });
  const records: AuditEntry[] = [
    { kind: "run_started", run: "r", principal: "ann", model: "a/m" },
    intended(),
    again,
    settled(),
    { kind: "results_returned", run: "r", turn: 1, results: [] },
    intended({ call: "c2" }),
    { kind: "run_ended", run: "r", stop: "answered", turns: 1 },
    intended(),
  ];
  expect(checkPolicy(records, { rules: ["allow */*"] }, known)).toEqual({ calls: 3, same: 3, changes: [] });
  const [change] = checkPolicy([intended()], { rules: ["deny */*"] }).changes;
  expect(change).toMatchObject({ run: "r", call: "c1", server: "s", tool: "t" });
});

test("rules of all tiers are replayed", () => {
  expect(changes([intended()], { administratorRules: ["deny */*"], rules: ["allow */*"] })).toEqual([
    "allow>deny",
  ]);
  expect(changes([intended()], { rules: ["allow */*"], projectRules: ["ask */*"] })).toEqual(["allow>ask"]);
  expect(changes([intended({ server: builtinServer })], { rules: ["deny */*"] })).toEqual([]);
});

test.each<[string, string, Partial<Intended>, PolicyCheckSettings, string]>([
  ["trust", "deny */* @trust=untrusted", {}, {}, "allow>undecided"],
  [
    "trust that is told",
    "deny */* @trust=untrusted",
    {},
    { toolOf: () => ({ trusted: false, annotations: {}, folder: null }) },
    "allow>deny",
  ],
  ["an annotation", "deny */* @readOnly=false", {}, {}, "allow>undecided"],
  ["the mode", "deny */* @mode=headless", {}, {}, "allow>undecided"],
  [
    "a mode that a person's answer tells",
    "deny */* @mode=interactive",
    { by: { type: "person", principal: "a" } },
    {},
    "ask>deny",
  ],
  ["the principal", "deny */* @principal=ann", {}, {}, "allow>undecided"],
  ["a principal that is told", "deny */* @principal=ann", {}, { principal: "ann" }, "allow>deny"],
  ["arguments", "deny */* p=x", { arguments: null }, {}, "allow>undecided"],
  ["an argument that is a list", "deny */* p=x", { arguments: ["x"] }, {}, "allow>undecided"],
  ["a secret", "deny */* p=*a*", { arguments: { p: "⟨secret P⟩" } }, {}, "allow>undecided"],
  ["a secret elsewhere", "deny */* q=x", { arguments: { p: "⟨secret P⟩" } }, {}, "allow>undecided"],
  [
    "a secret beside what is asked for",
    "deny */* q=x",
    { arguments: { p: "⟨secret P⟩", q: "x" } },
    {},
    "allow>deny",
  ],
  ["a whole path", "deny */* under(p)=/srv", { arguments: { p: "/srv/x" } }, {}, "allow>deny"],
  ["a flow", "deny */* @flow=untrusted->*", {}, {}, "allow>undecided"],
  ["a flow from anything", "deny */* @flow=*->*", {}, {}, "allow>deny"],
  ["where a flow goes", "deny */* @flow=*->write", {}, {}, "allow>undecided"],
])("what depends on %s is decided where it is known", (_, rule, parts, settings, expected) => {
  // Without hints that are known a rule decides alone where it looks at an argument.
  const allow = parts.arguments === undefined ? "allow */* p=x" : "allow */*";
  const all = parts.arguments === undefined ? settings : { ...known, ...settings };
  expect(changes([intended(parts)], { rules: [allow, rule] }, all)).toEqual([expected]);
});

test("a relative path or folder is decided where the folder of its server is known", () => {
  const rules = (rule: string): PolicyRules => ({ rules: ["allow */* p=**", rule] });
  const call = (p: string) => [intended({ arguments: { p } })];
  const at: PolicyCheckSettings = { toolOf: () => ({ trusted: true, annotations: {}, folder: "/srv" }) };
  expect(changes(call("x"), rules("deny */* under(p)=/srv"))).toEqual(["allow>undecided"]);
  expect(changes(call("/srv"), rules("deny */* under(p)=srv"))).toEqual(["allow>undecided"]);
  expect(changes(call("/etc"), rules("deny */* under(p)=/srv"))).toEqual([]);
  expect(changes(call("x"), rules("deny */* under(p)=/srv"), at)).toEqual(["allow>deny"]);
  expect(changes(call("/etc"), rules("deny */* under(p)=/srv"), at)).toEqual([]);
});

test("whether anybody could be asked is known of a call that was denied because nobody could", () => {
  const rules: PolicyRules = { rules: ["ask */*", "deny */* @mode=headless"] };
  const rule: DecisionSource = { type: "rule", tier: "user", rule: "deny */*" };
  expect(changes([denied(byDefault, true)], rules, known)).toEqual(["ask>deny"]);
  expect(changes([denied(rule)], rules, known)).toEqual(["deny>undecided"]);
  expect(changes([denied({ type: "person", principal: "a" })], rules, known)).toEqual([]);
});

test("a call that a person made directly is allowed where no rule covers it", () => {
  expect(changes([intended({ by: { type: "direct" } })], {}, known)).toEqual([]);
  expect(changes([intended()], {}, known)).toEqual(["allow>ask"]);
});

test("private content does not leave its own server, and may leave for another", () => {
  const isPrivate: ResultLabels = { trusted: true, openWorld: false, private: true };
  const untrusted: ResultLabels = { trusted: false, openWorld: false, private: false };
  const read = [settled(isPrivate), settled(isPrivate), settled(untrusted)];
  const rules: PolicyRules = { rules: ["allow */*"] };
  expect(changes([...read, intended()], rules, known)).toEqual([]);
  expect(changes([...read, intended({ server: "u" })], rules, known)).toEqual(["allow>ask"]);
  expect(changes([...read, intended({ server: "u" })], rules, { ...known, flows: "off" })).toEqual([]);
  const elsewhere: AuditEntry = { ...settled(isPrivate), server: "u" } as AuditEntry;
  expect(changes([...read, elsewhere, intended()], rules, known)).toEqual(["allow>ask"]);
});

test("what a run had read is known from its results, and stays read in that run alone", () => {
  const rules: PolicyRules = { rules: ["allow */*", "deny */* @flow=untrusted->*"] };
  const untrusted: ResultLabels = { trusted: false, openWorld: false, private: false };
  const isPrivate: ResultLabels = { trusted: true, openWorld: false, private: true };
  const trusted: ResultLabels = { trusted: true, openWorld: false, private: false };
  expect(changes([settled(untrusted), intended()], rules)).toEqual(["allow>deny"]);
  expect(changes([settled(untrusted), settled(trusted), intended()], rules)).toEqual(["allow>deny"]);
  expect(changes([settled(trusted), intended()], rules)).toEqual(["allow>undecided"]);
  expect(changes([settled(), intended()], rules)).toEqual(["allow>undecided"]);
  expect(changes([settled(untrusted), intended({ run: "other" })], rules)).toEqual(["allow>undecided"]);
  const private_: PolicyRules = { rules: ["allow */*", "deny */* @flow=private->*"] };
  expect(changes([settled(isPrivate), settled(trusted), intended()], private_)).toEqual(["allow>deny"]);
  expect(changes([settled(untrusted), intended()], private_)).toEqual(["allow>undecided"]);
});

test("a principal is known from the beginning of the run, and what is told stands over it", () => {
  const started: AuditEntry = { kind: "run_started", run: "r", principal: "ann", model: "a/m" };
  const rules: PolicyRules = { rules: ["allow */*", "deny */* @principal=ann"] };
  expect(changes([started, intended()], rules)).toEqual(["allow>deny"]);
  expect(changes([started, intended()], rules, { ...known, principal: "bob" })).toEqual([]);
  const ended: AuditEntry = { kind: "run_ended", run: "r", stop: "answered", turns: 1 };
  expect(changes([started, ended, intended()], rules)).toEqual(["allow>undecided"]);
});

test("six rules that may or may not match are tried, and more are left undecided", () => {
  const many = Array.from({ length: 7 }, (_, index) => `allow s/t @principal=*${index}*`);
  expect(changes([intended()], { rules: ["allow */*", ...many.slice(0, 6)] }, known)).toEqual([]);
  expect(changes([intended()], { rules: ["allow */*", ...many] }, known)).toEqual(["allow>undecided"]);
});

test("ten thousand runs are remembered, and then the oldest is forgotten", () => {
  const replay = createReplay({ rules: ["allow */*"] }, known);
  for (let run = 0; run < 10_000; run += 1) expect(replay(intended({ run: `r${run}` }))).toBe("same");
  expect(replay(intended({ run: "r0" }))).toBeNull();
  expect(replay(intended({ run: "new" }))).toBe("same");
  expect(replay(intended({ run: "r1" }))).toBeNull();
  expect(replay(intended({ run: "r0" }))).toBe("same");
});
