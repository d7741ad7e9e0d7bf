import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { ApprovalQuestion, ApprovalScope } from "../types/approval.ts";
import type { GrantBinding, GrantedTool, GrantStore, StoredGrant } from "../types/grants.ts";
import { stableJson } from "../util/stable-json.ts";

/** Grants in memory, which a test can take away, and a store that cannot be written. */
function memoryGrants() {
  const kept = new Map<string, { grant: StoredGrant; before: GrantedTool }>();
  const key = ({ principal, server, tool, configHash, definitionHash, rule }: GrantBinding) =>
    stableJson([principal, server, tool, configHash, definitionHash, rule]);
  const state = { broken: false };
  const store: GrantStore = {
    find: (binding) => kept.get(key(binding))?.grant ?? null,
    allowedBefore: ({ principal, server, tool }) =>
      [...kept.values()].flatMap(({ grant, before }) =>
        grant.principal === principal && grant.server === server && grant.tool === tool ? [before] : [],
      ),
    async add(binding, definition) {
      if (state.broken) throw new Error("the disk is full");
      const grant = { ...binding, id: `grant_${kept.size + 1}`, at: "2026-01-02T00:00:00.000Z" };
      const { configHash, definitionHash } = binding;
      kept.set(key(binding), { grant, before: { configHash, definitionHash, definition, at: grant.at } });
      return grant;
    },
  };
  return { store, kept, state };
}

/** A person who gives every question the same answer, and what was asked. */
function answering(scope: ApprovalScope, parts: { rules?: string[]; mayLast?: boolean } = {}) {
  const grants = memoryGrants();
  const questions: ApprovalQuestion[] = [];
  const make = (headless = false) =>
    makeConsent({
      rules: parts.rules ?? [],
      lasting: { store: () => grants.store, mayLast: () => parts.mayLast ?? true },
      approve: headless
        ? null
        : (request) => {
            questions.push(...request.questions);
            for (const { id } of request.questions) request.answer(id, { type: "allow", scope });
          },
    }).consent;
  const call = (tool: ToolParts = {}, principal = "ann", headless = false) =>
    decisionOf(make(headless), makeCall(makeTool(tool)), makeContext({ principal }));
  return { ...grants, questions, call, make };
}

const byGrant = "allow by grant: It was allowed for good on 2026-01-02.";

test("what a person allowed for good is not asked again in another conversation, also where nobody can be asked", async () => {
  const { call, questions } = answering("always");
  expect(await call()).toBe("allow by person: Allowed by the person for good.");
  expect(await call()).toBe(byGrant);
  expect(await call({}, "ann", true)).toBe(byGrant);
  expect(questions.map(({ scopes }) => scopes)).toEqual([["once", "conversation", "always"]]);
});

test.each<[string, ToolParts, string]>([
  ["another server with a tool of that name", { server: "other" }, "ann"],
  ["another command under the same id", { configHash: "config-2" }, "ann"],
  ["another tool", { name: "other" }, "ann"],
  ["another title", { title: "New" }, "ann"],
  ["another description", { description: "New" }, "ann"],
  ["another schema", { inputSchema: { type: "object", properties: { to: {} } } }, "ann"],
  ["another annotation", { annotations: { openWorldHint: false } }, "ann"],
  ["another principal", {}, "bob"],
])("%s is asked, and denied where nobody can be asked", async (_name, tool, principal) => {
  const { call, questions } = answering("always");
  await call();
  expect(await call(tool, principal, true)).toContain("deny by default");
  expect(await call(tool, principal)).toContain("allow by person");
  expect(questions).toHaveLength(2);
});

test("a tool that changed since it was allowed for good is asked with the difference", async () => {
  const { call, questions } = answering("always");
  await call({ description: "Reads" });
  await call({ description: "Reads and sends" });
  await call({ description: "Reads", configHash: "config-2" });
  expect(questions[1]?.warnings.slice(0, 2)).toEqual([
    "Its definition changed since it was allowed on 2026-01-02.",
    "description: Reads{+ and sends+}",
  ]);
  expect(questions[2]?.warnings[0]).toBe(
    "The configuration of its server changed since the tool was allowed.",
  );
});

test("a grant that is revoked elsewhere does not hold: neither for the next call nor for one that is about to be sent", async () => {
  const { call, questions, kept, make } = answering("always");
  await call();
  const consent = make();
  const tool = makeTool();
  const verdict = await consent.decide([makeCall(tool)], makeContext())[0];
  if (verdict?.type !== "approved") expect.unreachable();
  else {
    expect(consent.recheck(verdict.approved, tool)).toBeNull();
    kept.clear();
    expect(consent.recheck(verdict.approved, tool)).toBe("The grant that allowed it was taken back.");
  }
  await call();
  expect(questions).toHaveLength(2);
});

test("allowing for good in a conversation leaves nothing in it that would outlive the grant", async () => {
  const { make, kept, questions } = answering("always");
  const consent = make();
  const context = makeContext();
  await decisionOf(consent, makeCall(makeTool()), context);
  kept.clear();
  await decisionOf(consent, makeCall(makeTool()), context);
  expect(questions).toHaveLength(2);
});

test("a destructive tool, and one that a rule of the project asks for, is never allowed for good", async () => {
  for (const trusted of [true, false]) {
    const { call, questions, kept } = answering("always");
    expect(await call({ trusted, annotations: { destructiveHint: true } })).toContain("Allowed once");
    expect(questions[0]?.scopes).toEqual(["once"]);
    expect(kept.size).toBe(0);
  }
});

test("where a server cannot be told by its config, or no grants are kept, allowing for good is for the conversation", async () => {
  const { call, questions, kept } = answering("always", { mayLast: false });
  expect(await call()).toBe("allow by person: Allowed by the person for this conversation.");
  expect(questions[0]?.scopes).toEqual(["once", "conversation"]);
  expect(kept.size).toBe(0);
});

test("a grant that cannot be kept counts for the conversation, and the decision says so", async () => {
  const { make, state } = answering("always");
  state.broken = true;
  const context = makeContext();
  const consent = make();
  const verdict = await consent.decide([makeCall(makeTool())], context)[0];
  expect(verdict).toMatchObject({
    approved: { decision: { warnings: [expect.anything(), expect.stringContaining("the disk is full")] } },
  });
  expect(await decisionOf(consent, makeCall(makeTool()), context)).toBe(
    "allow by grant: It was allowed for this conversation.",
  );
});

test("a grant against the default does not silence a rule that asks, nor one that denies", async () => {
  const { store } = answering("always");
  const make = (rules: string[], questions: unknown[]) =>
    makeConsent({
      rules,
      lasting: { store: () => store, mayLast: () => true },
      approve: ({ questions: [question], answer }) => {
        questions.push(question);
        if (question !== undefined) answer(question.id, { type: "allow", scope: "always" });
      },
    }).consent;
  const asked: unknown[] = [];
  await decisionOf(make([], asked), makeCall(makeTool()));
  await decisionOf(make(["ask workspace/*"], asked), makeCall(makeTool()));
  expect(asked).toHaveLength(2);
  expect(await decisionOf(make(["deny workspace/*"], asked), makeCall(makeTool()))).toContain("deny by rule");
});
