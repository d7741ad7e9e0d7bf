import { expect, test } from "vitest";
import { answered, approve, callWith, context, key } from "../../test/support/recorder.ts";
import type { DenyDecision } from "../types/outcome.ts";
import type { ResultLabels } from "../types/policy.ts";
import type { ToolCall } from "../types/tool.ts";
import { keyedHashHex } from "../util/hash.ts";
import { createEntryWriter, type EntrySettings } from "./entries.ts";
import { createSecrets } from "./secrets.ts";

const keyedHash = (text: string) => keyedHashHex(key, text);
const writer = (more: Partial<EntrySettings> = {}) =>
  createEntryWriter({ secrets: createSecrets(), keyedHash, ...more });
const place = { runId: "run_1", turn: 3 };
const denial: DenyDecision = {
  type: "deny",
  by: { type: "rule", tier: "user", rule: `deny srv/* # ${"x".repeat(3_000)}` },
  reason: "because",
  unasked: false,
  waitedMs: 6,
};

test("where only hashes are kept no argument is, in intents and denials", () => {
  const call = callWith({ path: "/x" });
  const { intended, denied } = writer({ arguments: "hash" });
  const expected = { arguments: null, argumentsHash: keyedHash('{"path":"/x"}') };
  expect(intended(approve(call), 1, place)).toMatchObject(expected);
  expect(denied({ type: "denied", call, decision: denial }, place)).toMatchObject(expected);
});

test("where only hashes are kept no reason says what stands in arguments: rules that would allow, conditions of answers", () => {
  const call = callWith({ path: "own/x" });
  const { intended, denied } = writer({ arguments: "hash" });
  const rule = 'allow srv/act path="own/x"';
  const unasked = { ...denial, rule, reason: `Denied: nobody could be asked. Add the rule: ${rule}` };
  const entries = [
    denied({ type: "denied", call, decision: unasked }, place),
    ...(["person", "grant"] as const).map((type) => {
      const by =
        type === "person" ? { type, principal: "me" } : { type, id: "grant_1", scope: "always" as const };
      const approved = approve(call);
      const decision = {
        ...approved.decision,
        by,
        reason: "It was allowed for good, when path is under own/.",
      };
      return intended({ ...approved, decision }, 1, place);
    }),
  ];
  expect(JSON.stringify(entries)).not.toContain("own/");
  expect(entries.map((entry) => "reason" in entry && entry.reason)).toEqual([
    "Denied: nobody could be asked. Add the rule: (left out)",
    "It was allowed for good, when (left out).",
    "It was allowed for good, when (left out).",
  ]);
  const kept = writer().denied({ type: "denied", call, decision: unasked }, place);
  expect(kept).toMatchObject({ reason: unasked.reason });
});

test("where only hashes are kept, what was wrong with arguments is not kept either", () => {
  const rejected = { code: "call_invalid" as const, message: 'path is "own/x"' };
  const call = {
    type: "rejected" as const,
    callId: "c",
    name: "srv__act",
    rejected,
    input: '{"path":"own/x"}',
  };
  expect(writer({ arguments: "hash" }).rejected(call, place)).toMatchObject({ reason: "(left out)" });
  expect(writer().rejected(call, place)).toMatchObject({ reason: 'path is "own/x"' });
});

test("arguments that are longer than a record can be are named by their length", () => {
  const most = 16 * 1024 * 1024;
  const call = (length: number): ToolCall => ({ ...callWith({ a: 1 }), argumentsJson: "x".repeat(length) });
  const { intended } = writer();
  expect(intended(approve(call(most)), 1, place)).toMatchObject({ arguments: { a: 1 } });
  expect(intended(approve(call(most + 1)), 1, place)).toMatchObject({
    arguments: `(${most + 1} chars are left out)`,
  });
});

test("arguments are kept to 200 levels", () => {
  let deep: ToolCall["arguments"] = { end: 1 };
  for (let level = 0; level < 300; level += 1) deep = { a: deep };
  const text = JSON.stringify(writer().intended(approve(callWith(deep)), 1, place));
  expect(text.split('{"a":').length - 1).toBe(200);
  expect(text).toContain("(what lies deeper than 200 levels is left out)");
});

test("texts are kept to 2,000 characters, and what is cut is told", () => {
  const { denied } = writer();
  const entry = denied({ type: "denied", call: callWith({}), decision: denial }, place);
  expect(entry).toMatchObject({ reason: "because", unasked: false, waitedMs: 6, decision: "deny" });
  const rule = "by" in entry && entry.by.type === "rule" ? entry.by.rule : "";
  expect(rule).toBe(`${`deny srv/* # ${"x".repeat(3_000)}`.slice(0, 2_000)}… (1013 more chars)`);
  const exact = denied(
    { type: "denied", call: callWith({}), decision: { ...denial, reason: "y".repeat(2_000) } },
    place,
  );
  expect(exact).toMatchObject({ reason: "y".repeat(2_000) });
});

test("who decided stays as it is where it is no rule", () => {
  const by = { type: "person", principal: "ann" } as const;
  const entry = writer().denied({ type: "denied", call: callWith({}), decision: { ...denial, by } }, place);
  expect(entry).toMatchObject({ by });
});

test("the outcome has the labels of its tool, and its definition and configuration", () => {
  const labels: ResultLabels = {
    server: "srv",
    trust: "untrusted",
    openWorld: true,
    private: false,
  } as never;
  const approved = approve(callWith({}));
  const settled = (labelsOf?: EntrySettings["labelsOf"]) =>
    writer(labelsOf === undefined ? {} : { labelsOf }).settled(approved, answered, 2, place);
  expect(settled(() => labels)).toMatchObject({ labels, attempt: 2, configHash: "c1", definitionHash: "d1" });
  expect(settled(() => null)).not.toHaveProperty("labels");
  expect(settled()).not.toHaveProperty("labels");
  const failed = {
    type: "failed",
    code: "call_timeout",
    message: "late",
    executed: "maybe",
    attempts: 1,
    ms: 7,
  } as const;
  expect(writer({ labelsOf: () => labels }).settled(approved, failed, 1, place)).toMatchObject({
    ...{ labels, outcome: "failed", bytesIn: 0, ms: 7, executed: "maybe", code: "call_timeout" },
  });
});

test("a request that is no call of a tool says which it was", () => {
  const call = callWith({});
  const read: ToolCall = {
    ...call,
    tool: { ...call.tool, definition: { ...call.tool.definition, method: "resources/read" } },
  };
  expect(writer().intended(approve(read), 1, place)).toMatchObject({ method: "resources/read" });
  expect(writer().intended(approve(call), 1, place)).not.toHaveProperty("method");
});

test("a proposal that became no call is kept with its tool and a hash of its arguments, where there are such", () => {
  const { rejected } = writer();
  const proposal = { type: "rejected", callId: "c", name: "n" } as const;
  const wrong = { code: "call_invalid", message: "no" } as const;
  const bare = rejected({ ...proposal, rejected: wrong }, place);
  expect(bare).toEqual({
    ...{ kind: "call_rejected", run: "run_1", turn: 3, call: "c", alias: "n" },
    ...{ code: "call_invalid", reason: "no" },
  });
  const { tool } = callWith({});
  expect(rejected({ ...proposal, rejected: wrong, tool, input: "{" }, place)).toEqual({
    ...bare,
    ...{ server: "srv", tool: "raw tool", configHash: "c1", definitionHash: "d1" },
    argumentsHash: keyedHash("{"),
  });
});

test("what went back to the model is kept by its size", () => {
  const block = { type: "tool_result", callId: "c", content: [], isError: false } as const;
  const results = [{ block, keptBytes: 4, cutBytes: 5 }];
  expect(writer().returned({ results, trailing: [] }, { runId: "r", turn: context.turn })).toEqual({
    kind: "results_returned",
    run: "r",
    turn: 3,
    results: [{ call: "c", bytesKept: 4, bytesCut: 5 }],
  });
});
