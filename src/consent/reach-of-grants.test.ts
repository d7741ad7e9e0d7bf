import { expect, test } from "vitest";
import { makeCall, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { ConversationGrants } from "../types/consent.ts";
import type { ArgumentCondition, GrantStore, StoredGrant } from "../types/grants.ts";
import type { DecisionSource } from "../types/outcome.ts";
import { createGrants } from "./grants.ts";

const flow: DecisionSource = { type: "flow", flow: "untrusted→write" };
const byDefault: DecisionSource = { type: "default" };
const src: ArgumentCondition = { type: "under", argument: ["path"], folder: "src" };
const call = makeCall(makeTool(), { path: "src/a" });

function asked(parts: { by?: DecisionSource; principal?: string; grants?: ConversationGrants } = {}) {
  return { by: byDefault, principal: "ann", grants: { answers: new Map() }, ...parts };
}

/** A store that says of every binding that it is granted, and how often it was asked. */
function generousStore(parts: Partial<GrantStore> = {}) {
  const added: unknown[] = [];
  const store: GrantStore = {
    find: (binding) => ({ ...binding, id: "grant_1", at: "2026-01-02T00:00:00.000Z" }),
    allowedBefore: () => [],
    add: async (binding): Promise<StoredGrant> => {
      added.push(binding);
      return { ...binding, id: "grant_1", at: "" };
    },
    ...parts,
  };
  return { added, grants: createGrants({ store: () => store, mayLast: () => true }) };
}

test("an answer about what was read together holds in its conversation only, whatever a store says", () => {
  const { grants } = generousStore();
  expect(grants.scopes(call, { grantable: true, by: flow })).toEqual(["once", "conversation"]);
  expect(grants.scopes(call, { grantable: true, by: byDefault })).toEqual(["once", "conversation", "always"]);
  expect(grants.find(call, asked({ by: flow }))).toBeNull();
  expect(grants.find(call, asked())).toMatchObject({ by: { scope: "always" } });
});

test("without a store nothing is offered for good, and what was to be kept counts for the conversation", async () => {
  const grants = createGrants({ store: () => null, mayLast: () => true });
  expect(grants.scopes(call, { grantable: true, by: byDefault })).toEqual(["once", "conversation"]);
  for (const conditions of [null, [src]]) {
    const question = asked();
    await expect(grants.add(call, question, "always", conditions)).rejects.toMatchObject({
      code: "store_failed",
    });
    expect(grants.find(call, question)).toMatchObject({ by: { scope: "conversation" } });
  }
});

test("what is kept for good is not kept in the conversation, and the other way round", async () => {
  const { grants, added } = generousStore({ find: () => null });
  const question = asked();
  await grants.add(call, question, "always", null);
  expect([added.length, question.grants.answers.size]).toEqual([1, 0]);
  await grants.add(call, question, "conversation", null);
  expect([added.length, question.grants.answers.size]).toEqual([1, 1]);
});

test("a grant with conditions that no store knows is not looked for among others", () => {
  const { grants } = generousStore({ find: () => null });
  expect(grants.find(call, asked())).toBeNull();
});

test("what a tool was is told to the principal, in the conversation and of the tool that it was noted for", () => {
  const grants = createGrants({ store: () => null, mayLast: () => true });
  const answered = asked();
  grants.noteAllowed(call, answered);
  grants.noteAllowed(makeCall(makeTool({ name: "other" })), answered);
  const changed = (parts: ToolParts) => makeCall(makeTool({ description: "New", ...parts }));
  expect(grants.changes(changed({}), answered)).not.toEqual([]);
  expect(grants.changes(call, answered)).toEqual([]);
  expect(grants.changes(changed({ name: "third" }), answered)).toEqual([]);
  expect(grants.changes(changed({ server: "third" }), answered)).toEqual([]);
  expect(grants.changes(changed({}), asked({ grants: answered.grants, principal: "bob" }))).toEqual([]);
  expect(grants.changes(changed({}), asked())).toEqual([]);
});

test("an answer about a flow covers the flow over the same rule, and not the rule by itself", async () => {
  const grants = createGrants({ store: () => null, mayLast: () => true });
  const rule = (text: string): DecisionSource => ({ type: "rule", tier: "user", rule: text });
  const question = asked({ by: flow });
  const with_ = (parts: { by: DecisionSource; beneath?: DecisionSource }) =>
    grants.find(call, { ...asked({ grants: question.grants }), ...parts });
  await grants.add(call, question, "conversation", null);
  expect(with_({ by: flow })).not.toBeNull();
  expect(with_({ by: flow, beneath: byDefault })).not.toBeNull();
  for (const other of [
    { by: flow, beneath: rule("ask */*") },
    { by: { type: "flow", flow: "private→open-world" } },
    { by: rule("ask */*") },
    { by: byDefault },
  ] as const) {
    expect(with_(other)).toBeNull();
  }
});

test("an answer with other conditions of the same tool stands beside, and the same one once", async () => {
  const grants = createGrants({ store: () => null, mayLast: () => true });
  const question = asked();
  const lib: ArgumentCondition = { ...src, folder: "lib" };
  for (const conditions of [[src], [lib], [src]])
    await grants.add(call, question, "conversation", conditions);
  expect(question.grants.answers.size).toBe(2);
  const ids = ["src/a", "lib/a", "etc/a"].map(
    (path) => grants.find(makeCall(call.tool, { path }), question)?.by.id,
  );
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBeUndefined();
  for (const id of ids.slice(0, 2)) question.grants.answers.delete(id ?? "");
  expect(grants.find(call, question)).toBeNull();
});

test("an answer that was once only, or a refusal, is no grant", async () => {
  const grants = createGrants({ store: () => null, mayLast: () => true });
  const question = asked();
  await grants.add(call, question, "conversation", null);
  const [id = ""] = question.grants.answers.keys();
  for (const answer of [{ type: "allow", scope: "once" }, { type: "deny" }] as const) {
    question.grants.answers.set(id, answer);
    expect(grants.find(call, question)).toBeNull();
  }
});
