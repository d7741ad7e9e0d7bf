import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { fakeServer, scriptedModel, textTool } from "../testing/index.ts";
import type { ApprovalQuestion, Approver } from "../types/approval.ts";
import type { AuditEntry } from "../types/audit.ts";
import type { HostOptions, ServerConfig } from "../types/config.ts";
import { listGrants, revokeGrants } from "./grants.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "grants-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const notes = (marker: string, env = {}): ServerConfig => ({
  command: "node",
  args: ["test/cli/fixtures/server.mjs", "plain", marker],
  env,
});
const call = { calls: [{ name: "notes__read_note", input: { path: "a" } }] };

/** One run of a host of its own; the person, if there is one, allows everything for good. */
async function ask(config: ServerConfig, options: Partial<HostOptions> = {}, headless = false) {
  const questions: ApprovalQuestion[] = [];
  const audit: AuditEntry[] = [];
  const approve: Approver = (request) => {
    questions.push(...request.questions);
    for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "always" });
  };
  await using host = createHost({
    servers: { notes: config },
    model: scriptedModel([call, { text: "done" }]),
    state,
    principal: "ann",
    audit: { append: async (entry) => void audit.push(entry) },
    ...(headless ? {} : { approve }),
    ...options,
  });
  const result = await host.run("go").result;
  const decided = audit.find(({ kind }) => kind === "call_intended" || kind === "call_denied");
  return { questions, result, by: decided !== undefined && "by" in decided ? decided.by : null };
}

test("a grant reaches the next host and is in the audit log with its id, until it is revoked", async () => {
  expect((await ask(notes("a"))).by).toEqual({ type: "person", principal: "ann" });
  const { grants } = await listGrants({ state, principal: "ann" });
  expect(grants).toMatchObject([{ server: "notes", tool: "read_note", principal: "ann" }]);
  const second = await ask(notes("a"));
  expect(second.questions).toEqual([]);
  expect(second.by).toEqual({ type: "grant", id: grants[0]?.id, scope: "always" });
  expect(await listGrants({ state, principal: "bob" })).toEqual({ grants: [], unreadable: [] });
  expect(await revokeGrants({ state, principal: "bob", all: true })).toEqual({ revoked: [], missing: [] });
  const ids = [grants[0]?.id ?? "", "none"];
  expect(await revokeGrants({ state, principal: "ann", ids })).toEqual({
    revoked: [ids[0]],
    missing: ["none"],
  });
  expect((await ask(notes("a"))).questions).toHaveLength(1);
});

test.each<[string, ServerConfig, Partial<HostOptions>]>([
  ["another command under the same id", notes("b"), {}],
  ["another value in its environment", notes("a", { TOKEN: "other" }), {}],
  ["another principal", notes("a"), { principal: "bob" }],
])("%s is asked again", async (_name, config, options) => {
  await ask(notes("a"));
  expect((await ask(config, options)).questions).toHaveLength(1);
});

test("a grant counts where nobody can be asked, and a damaged store denies there", async () => {
  await ask(notes("a"));
  expect((await ask(notes("a"), {}, true)).result.unasked).toBe(0);
  const [place = ""] = readdirSync(join(state, "grants"));
  const [name = ""] = readdirSync(join(state, "grants", place));
  writeFileSync(join(state, "grants", place, name), "{}");
  expect((await ask(notes("a"), {}, true)).result.unasked).toBe(1);
  const { unreadable } = await listGrants({ state, principal: "ann" });
  expect(await revokeGrants({ state, principal: "ann", ids: unreadable })).toMatchObject({
    revoked: unreadable,
  });
});

test("grants are revoked by server and tool, and a selection must be one", async () => {
  await ask(notes("a"));
  const whose = { state, principal: "ann" };
  expect(await revokeGrants({ ...whose, server: "notes", tool: "delete_note" })).toMatchObject({
    revoked: [],
  });
  expect(await revokeGrants({ ...whose, server: "notes" })).toMatchObject({ revoked: { length: 1 } });
  for (const wrong of [{}, { all: true, ids: [] }, { tool: "x", all: true }]) {
    await expect(revokeGrants({ ...whose, ...wrong })).rejects.toMatchObject({ code: "input_invalid" });
  }
});

test("a transport of the program's own, and a host that keeps nothing, allow for the conversation at most", async () => {
  const server = fakeServer([textTool("read_note", () => "hi")]);
  const transport = await ask(server.config);
  const kept = await ask(notes("a"), { state: false });
  for (const { questions } of [transport, kept]) {
    expect(questions[0]?.scopes).toEqual(["once", "conversation"]);
  }
  expect((await listGrants({ state, principal: "ann" })).grants).toEqual([]);
});
