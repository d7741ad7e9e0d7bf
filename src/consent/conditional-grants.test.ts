import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool, type ToolParts } from "../../test/support/tools.ts";
import { createGrantFiles, listGrantFiles, removeGrantFile } from "../stores/grant-files.ts";
import { createTestClock } from "../testing/clock.ts";
import type { ApprovalAnswer, ApprovalQuestion } from "../types/approval.ts";
import type { ArgumentCondition, GrantStore } from "../types/grants.ts";
import type { JsonObject } from "../types/json.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "grants-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = new Uint8Array(32).fill(3);
const open = () => createGrantFiles(folder, key, createTestClock(Date.UTC(2026, 0, 2)));
const src: ArgumentCondition = { type: "under", argument: ["path"], folder: "src" };
const only: ArgumentCondition = { type: "only", arguments: [["path"]] };

/** A person who gives every question one answer, what was asked, and a tool to call. */
function person(answer: ApprovalAnswer, store: GrantStore | null = open(), redact = (text: string) => text) {
  const questions: ApprovalQuestion[] = [];
  const { consent } = makeConsent({
    redact,
    lasting: { store: () => store, mayLast: () => true },
    approve: (request) => {
      questions.push(...request.questions);
      for (const { id } of request.questions) request.answer(id, answer);
    },
  });
  const call = (values: JsonObject, context = makeContext(), tool: ToolParts = {}) =>
    decisionOf(consent, makeCall(makeTool(tool), values), context);
  return { questions, call, consent };
}

test.each(["conversation", "always"] as const)(
  "what is allowed for %s when a path is under a folder is asked for every other path",
  async (scope) => {
    const { call, questions } = person({ type: "allow", scope, conditions: [src] });
    const context = makeContext();
    const until = scope === "always" ? "for good" : "for this conversation";
    expect(await call({ path: "src/a" }, context)).toBe(
      `allow by person: Allowed by the person ${until}, when path is under src/ and there are no other arguments.`,
    );
    expect(await call({ path: "src/b/c" }, context)).toMatch(
      /^allow by grant: .*, when path is under src\/ and there are no other arguments\.$/,
    );
    expect(questions).toHaveLength(1);
    for (const values of [
      { path: "etc/a" },
      { path: "src/../etc" },
      {},
      { path: ["src/a"] },
      { file: "src/a" },
    ]) {
      await call(values, context);
    }
    expect(questions).toHaveLength(6);
  },
);

test("a question offers what may be asked of later calls, unless it may be answered once only", async () => {
  const { call, questions } = person({ type: "deny" });
  await call({ path: "src/a", mode: "x" });
  await call({ path: "src/a" }, makeContext(), { annotations: { destructiveHint: true } });
  await call({ content: "x".repeat(500) });
  expect(questions.map(({ conditions }) => conditions)).toEqual([
    [
      src,
      { type: "equals", argument: ["mode"], value: "x" },
      { type: "only", arguments: [["path"], ["mode"]] },
    ],
    undefined,
    undefined,
  ]);
});

test("conditions that the call does not meet, none at all, and what is no condition allow this call only", async () => {
  for (const conditions of [[], [{ ...src, folder: "lib" }], [src, { type: "x" }], "src", null] as never[]) {
    const { call, questions } = person({ type: "allow", scope: "always", conditions });
    const context = makeContext();
    expect(await call({ path: "src/a" }, context)).toBe("allow by person: Allowed once by the person.");
    await call({ path: "src/a" }, context);
    expect(questions).toHaveLength(2);
  }
  expect(listGrantFiles(folder, key)).toEqual([]);
});

test("an answer that is changed after it was given changes nothing", async () => {
  const conditions = [{ ...src }];
  const answer = { type: "allow", scope: "conversation", conditions } as const;
  const { call, questions } = person(answer);
  const context = makeContext();
  await call({ path: "src/a" }, context);
  Object.assign(conditions[0] ?? {}, { folder: "etc" });
  await call({ path: "etc/a" }, context);
  expect(questions).toHaveLength(2);
});

test("a grant with conditions holds for its tool, server, principal and definition only", async () => {
  const { call, questions } = person({ type: "allow", scope: "always", conditions: [src] });
  const values = { path: "src/a" };
  await call(values);
  const others: ToolParts[] = [{ name: "o" }, { server: "o" }, { configHash: "o" }, { description: "o" }];
  for (const tool of others) await call(values, makeContext(), tool);
  await call(values, makeContext({ principal: "bob" }));
  expect(questions).toHaveLength(6);
  expect(questions[4]?.warnings[0]).toContain("definition");
});

test("a grant with conditions that is revoked elsewhere holds for no call any more, nor for one that is about to be sent", async () => {
  const { call, consent, questions } = person({ type: "allow", scope: "always", conditions: [src] });
  await call({ path: "src/a" });
  const tool = makeTool();
  const [verdict] = await Promise.all(consent.decide([makeCall(tool, { path: "src/b" })], makeContext()));
  if (verdict?.type !== "approved") return expect.unreachable();
  expect(consent.recheck(verdict.approved, tool)).toBeNull();
  for (const { path } of listGrantFiles(folder, key)) removeGrantFile(path);
  expect(consent.recheck(verdict.approved, tool)).toContain("taken back");
  await call({ path: "src/a" });
  expect(questions).toHaveLength(2);
});

test("a grant that is gone is not found where it was known: in a conversation, or in a store's older list", async () => {
  const { call, questions } = person({ type: "allow", scope: "conversation", conditions: [src] });
  const context = makeContext();
  await call({ path: "src/a" }, context);
  context.grants.answers.clear();
  expect(await call({ path: "src/a" }, context)).toContain("allow by person");
  expect(questions).toHaveLength(2);
  const store = open();
  const older = person(
    { type: "allow", scope: "always", conditions: [src] },
    {
      ...store,
      conditional: (binding) => [
        { ...binding, conditions: [src, only], id: "grant_1", at: "2026-01-01T00:00:00.000Z" },
      ],
    },
  );
  expect(await older.call({ path: "src/a" })).toContain("allow by person");
});

test("a store that knows no conditions keeps no such grant: it holds for the conversation, and the decision says so", async () => {
  const added: unknown[] = [];
  const { conditional: _, ...older } = open();
  const store: GrantStore = {
    ...older,
    add: (binding, definition) => {
      added.push(binding);
      return older.add(binding, definition);
    },
  };
  const { call, questions } = person({ type: "allow", scope: "always", conditions: [src] }, store);
  const context = makeContext();
  await call({ path: "src/a" }, context);
  expect(await call({ path: "src/b" }, context)).toContain("for this conversation, when path is under src/");
  await call({ path: "src/b" });
  expect(questions).toHaveLength(2);
  expect(added).toEqual([]);
});

test("a secret is in no condition that is offered, and in none that is kept on disk", async () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "⟨secret⟩");
  const token: ArgumentCondition = { type: "equals", argument: ["token"], value: "hunter2hunter2" };
  const { call, questions } = person({ type: "allow", scope: "always", conditions: [token] }, open(), redact);
  const context = makeContext();
  const decision = await call({ token: "hunter2hunter2", mode: "x" }, context);
  expect(decision).toBe(
    'allow by person: Allowed by the person for this conversation, when token is "⟨secret⟩" and there is no other argument than mode, which holds no URL and no path from elsewhere.',
  );
  expect(await call({ token: "hunter2hunter2", mode: "y" }, context)).toContain('when token is "⟨secret⟩"');
  expect(questions[0]?.conditions).toEqual([
    { type: "equals", argument: ["mode"], value: "x" },
    { type: "only", arguments: [["token"], ["mode"]] },
  ]);
  expect(listGrantFiles(folder, key)).toEqual([]);
});
