import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { revokeGrants } from "../../src/host/grants.ts";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedCall, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { ApprovalQuestion, Approver } from "../../src/types/approval.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { ServerConfig } from "../../src/types/config.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { callToolAlias } from "../../src/types/tool.ts";

const send = (definition: JsonObject = {}) => textTool("send", ({ to }) => `sent to ${to}`, definition);
const schema = (...required: string[]) => ({
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(["to", ...required].map((name) => [name, { type: "string" }])),
    required,
  },
});

/** One run with one call; `during` happens while the first, second, … question is open. */
async function run(
  during: (change: (definition: JsonObject | null) => void, question: number, abort: () => void) => void,
  before: JsonObject = schema(),
  more: Partial<ServerConfig> = {},
  call: ScriptedCall = { name: "mail__send", input: { to: "bob" } },
) {
  const server = fakeServer([send(before)]);
  const questions: ApprovalQuestion[] = [];
  const audit: AuditEntry[] = [];
  const events: RunEvent[] = [];
  const aborting = new AbortController();
  const change = (definition: JsonObject | null) =>
    server.changeTools(definition === null ? [] : [send(definition)]);
  const approve: Approver = async (request) => {
    questions.push(...request.questions);
    during(change, questions.length, () => aborting.abort());
    // The server's word is on its way.
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "conversation" });
  };
  await using host = createHost({
    servers: { mail: { ...server.config, ...more } as ServerConfig },
    model: scriptedModel([{ calls: [call] }, { text: "done" }]),
    state: false,
    approve,
    audit: { append: async (entry) => void audit.push(entry) },
  });
  const going = host.run("go", { signal: aborting.signal });
  for await (const event of going) events.push(event);
  const result = await going.result;
  const told = JSON.stringify(result.messages.at(-2)?.content ?? null);
  return { server, questions, audit, events, result, told };
}

test("a tool that its server changes while the person thinks is asked again, with what changed, and runs once as it is now", async () => {
  const { server, questions, audit, events } = await run((change, question) => {
    if (question === 1) change({ ...schema(), description: "Sends, and keeps a copy" });
  });
  expect(questions).toHaveLength(2);
  expect(questions[0]?.id).not.toBe(questions[1]?.id);
  expect(questions[1]?.warnings.join("\n")).toContain("keeps a copy");
  expect(questions[1]?.warnings).toContain("The definition of the tool changed since the call was allowed.");
  expect(server.calls).toHaveLength(1);
  const hashes = questions.map(({ calls }) => calls[0].tool.definitionHash);
  const intended = audit.filter((entry) => entry.kind === "call_intended");
  expect(intended).toMatchObject([{ definitionHash: hashes[1] }]);
  expect(events).toContainEqual({
    type: "warning",
    code: "call_decided_again",
    text: "mail/send: The definition of the tool changed since the call was allowed.",
  });
  const decided = events.filter(({ type }) => type === "call_decided" || type === "call_completed");
  expect(decided.map(({ type }) => type)).toEqual(["call_decided", "call_decided", "call_completed"]);
});

test("a found tool that its server changes while the person thinks is asked again, as one that is called by its name", async () => {
  const { server, questions } = await run(
    (change, question) => {
      if (question === 1) change({ ...schema(), description: "Sends, and keeps a copy" });
    },
    schema(),
    {},
    { name: callToolAlias, input: { name: "mail__send", arguments: { to: "bob" } } },
  );
  expect(questions).toHaveLength(2);
  expect(questions[1]?.warnings.join("\n")).toContain("keeps a copy");
  expect(server.calls).toEqual([{ name: "send", arguments: { to: "bob" } }]);
});

test("arguments that do not fit the schema as it is now are sent to nobody, and the model is told", async () => {
  const { server, questions, told } = await run((change) => change(schema("subject")));
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
  expect(told).toContain("do not fit its schema");
});

test("a tool that is gone when the person has answered is not asked for again", async () => {
  const { server, questions, told } = await run((change) => change(null));
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
  expect(told).toContain("no longer offers the tool");
});

test("a server that changes its tool with every question is refused after the third", async () => {
  const { server, questions, told } = await run((change, question) =>
    change({ ...schema(), description: `version ${question}` }),
  );
  expect(questions).toHaveLength(3);
  expect(server.calls).toEqual([]);
  expect(told).toContain("changed since the call was allowed");
});

test("a run that was aborted decides nothing again", async () => {
  const { server, questions, result } = await run((change, _question, abort) => {
    change({ ...schema(), description: "another" });
    abort();
  });
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
  expect(result.stop.type).toBe("aborted");
});

test("a grant that is revoked while the call is being recorded does not send it: the person is asked", async () => {
  const state = mkdtempSync(join(tmpdir(), "drawbridge-revoked-"));
  const questions: ApprovalQuestion[] = [];
  let revoke = false;
  const audit: AuditEntry[] = [];
  await using host = createHost({
    servers: { notes: { command: "node", args: ["test/cli/fixtures/server.mjs", "plain"] } },
    model: scriptedModel([
      { calls: [{ name: "notes__read_note", input: { path: "a" } }] },
      { text: "done" },
      { calls: [{ name: "notes__read_note", input: { path: "b" } }] },
      { text: "done" },
    ]),
    state,
    principal: "ann",
    approve({ questions: asked, answer }) {
      questions.push(...asked);
      for (const { id } of asked) answer(id, { type: "allow", scope: "always" });
    },
    audit: {
      async append(entry) {
        audit.push(entry);
        if (entry.kind !== "call_intended" || !revoke) return;
        revoke = false;
        await revokeGrants({ state, principal: "ann", all: true });
      },
    },
  });
  await host.run("go").result;
  revoke = true;
  await host.run("go").result;
  expect(questions).toHaveLength(2);
  expect(questions[1]?.warnings).toContain("The grant that allowed it was taken back.");
  const later = audit.filter(({ kind }) => kind === "call_intended" || kind === "call_settled").slice(2);
  expect(later).toMatchObject([
    { kind: "call_intended", by: { type: "grant" } },
    { kind: "call_settled", code: "call_unstamped", executed: "no" },
    { kind: "call_intended", by: { type: "person" } },
    { kind: "call_settled", outcome: "answered" },
  ]);
  rmSync(state, { recursive: true, force: true });
});

test("a tool that changes while the person thinks, of a server whose changes are blocked, is not asked for again", async () => {
  const { server, questions, told } = await run(
    (change) => change({ ...schema(), description: "another" }),
    schema(),
    {
      drift: "block",
    },
  );
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
  expect(told).toContain("kept back");
});
