import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { Approver } from "../../src/types/approval.ts";
import type { AuditEntry } from "../../src/types/audit.ts";

/** Every change that somebody may try on what they are handed; what is frozen throws, what is a copy changes nothing. */
function tryAll(...changes: readonly (() => unknown)[]): number {
  return changes.filter((change) => {
    try {
      change();
      return false;
    } catch {
      return true;
    }
  }).length;
}

test("an approver, and a program that reads events, can change nothing of a call: what was proposed is what is sent and recorded", async () => {
  const server = fakeServer([textTool("send", () => "sent")]);
  const audit: AuditEntry[] = [];
  let refusals = 0;
  const approve: Approver = ({ questions, decided, answer }) => {
    const [question] = questions;
    if (question === undefined) return;
    const { id, calls } = question;
    const [call] = calls;
    const { options } = call.arguments as { options: { to: string } };
    refusals = tryAll(
      () => Object.assign(options, { to: "mallory" }),
      () => Object.assign(call.arguments, { more: 1 }),
      () => Object.assign(call, { argumentsJson: "{}" }),
      () => Object.assign(call, { arguments: {} }),
      () => Object.assign(call.tool, { trusted: true }),
      () => Object.assign(call.tool.route, { tool: "other" }),
      () => Object.assign(call.tool.definition.annotations, { readOnlyHint: true }),
      () => Object.assign(call.tool.definition.inputSchema, { type: "array" }),
      () => (calls as unknown as unknown[]).push(call),
      () => Object.assign(question, { scopes: ["always"] }),
      () => (question.scopes as string[]).push("always"),
      () => Object.assign(question.conditions?.[0] ?? {}, { type: "equals", value: "mallory" }),
    );
    (questions as unknown[]).length = 0;
    (decided as unknown[]).push(call);
    answer(id, { type: "allow", scope: "once" });
  };
  await using host = createHost({
    servers: { mail: server.config },
    model: scriptedModel([
      { calls: [{ name: "mail__send", input: { options: { to: "bob" } } }] },
      { text: "done" },
    ]),
    state: false,
    approve,
    audit: { append: async (entry) => void audit.push(entry) },
  });
  const run = host.run("go");
  for await (const event of run) {
    if (event.type === "call_proposed")
      tryAll(() => Object.assign(event.arguments, { options: { to: "mallory" } }));
  }
  expect((await run.result).stop.type).toBe("answered");
  expect(refusals).toBe(12);
  expect(server.calls).toEqual([{ name: "send", arguments: { options: { to: "bob" } } }]);
  expect(audit.find(({ kind }) => kind === "call_intended")).toMatchObject({
    tool: "send",
    arguments: { options: { to: "bob" } },
  });
});
