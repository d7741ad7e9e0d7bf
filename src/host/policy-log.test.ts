import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { fakeServer, textTool } from "../testing/fake-server.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { HostOptions } from "../types/config.ts";
import { explainOffline } from "./explain-offline.ts";
import { checkPolicyLog, type PolicyLogChange, type PolicyLogOptions } from "./policy-log.ts";

const state = mkdtempSync(join(tmpdir(), "drawbridge-policy-log-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const files = () =>
  fakeServer([
    textTool("read", () => "text", { annotations: { readOnlyHint: true } }),
    textTool("write", () => "written", {
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
    }),
  ]).config;

const rules = ["allow fs/write path=/srv/**"];
const trusted = { servers: { fs: files() }, policy: { rules, trust: ["fs"] } };

beforeAll(async () => {
  const call = (name: string, path: string) => ({ name: `fs__${name}`, input: { path } });
  const model = scriptedModel([
    { calls: [call("read", "a"), call("write", "/srv/b"), call("write", "/etc/c")] },
    { text: "Done." },
  ]);
  const options: HostOptions = { ...trusted, model, state, principal: "ann" };
  await using host = createHost(options);
  await host.run("Go.").result;
});

const check = async (options: PolicyLogOptions) => {
  const changes: PolicyLogChange[] = [];
  const report = await checkPolicyLog({
    ...{ state, servers: { fs: files() } },
    ...options,
    onChange: (change) => {
      changes.push(change);
    },
  });
  const told = changes.map(({ tool, before, decision }) => `${tool}: ${before} → ${decision}`);
  return { told, report, changes };
};

test("under the policy that held, nothing would be decided otherwise", async () => {
  const { told, report } = await check({ policy: trusted.policy });
  expect(told).toEqual([]);
  expect(report).toEqual({
    warnings: [],
    calls: 3,
    same: 3,
    changed: 0,
    undecided: 0,
    unreadable: 0,
    altered: 0,
  });
});

test("what would be decided otherwise is told with the record of its decision", async () => {
  const { told, report, changes } = await check({ policy: { rules: ["deny fs/write"], trust: ["fs"] } });
  expect(told).toEqual(["write: ask → deny", "write: allow → deny"]);
  expect(report).toMatchObject({ calls: 3, same: 1, changed: 2 });
  const [file = ""] = readdirSync(join(state, "audit")).filter((name) => name.endsWith(".jsonl"));
  const records = readFileSync(join(state, "audit", file), "utf8").split("\n");
  for (const { seq, call, at } of changes) {
    const record = JSON.parse(records[seq - 1] ?? "");
    expect(record).toMatchObject({ seq, call, at });
    expect(["call_intended", "call_denied"]).toContain(record.kind);
  }
});

test("hints count as they were then, for a server that is trusted now", async () => {
  const untrusted = await check({ policy: { rules } });
  expect(untrusted.told).toEqual(["read: allow → ask"]);
  const elsewhere = await check({ policy: trusted.policy, servers: {} });
  expect(elsewhere.told).toEqual(["write: ask → undecided", "read: allow → undecided"]);
  expect(elsewhere.report).toMatchObject({ same: 1, undecided: 2, changed: 0 });
});

test("an administrator's rules are replayed above the others", async () => {
  const policy = { rules: ["allow */*"], administratorRules: ["deny fs/write path=/etc/**"], trust: ["fs"] };
  expect((await check({ policy })).told).toEqual(["write: ask → deny"]);
});

test("only the wanted calls are looked at", async () => {
  const policy = { rules: ["deny */*"] };
  expect((await check({ policy, tool: "read" })).told).toEqual(["read: allow → deny"]);
  expect((await check({ policy, server: "other" })).report.calls).toBe(0);
  expect((await check({ policy, since: new Date(Date.now() + 60_000) })).report.calls).toBe(0);
  expect((await check({ policy, until: new Date(Date.now() + 60_000) })).report.calls).toBe(3);
});

test("a log can be a file, a folder of files, or a state folder; none of it is nothing", async () => {
  const policy = { rules: ["deny */*"] };
  const folder = join(state, "audit");
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  for (const log of [state, folder, join(folder, file)]) {
    expect((await check({ policy, log })).report).toMatchObject({ calls: 3, changed: 3 });
  }
  const empty = mkdtempSync(join(state, "empty-"));
  expect((await check({ policy, state: join(empty, "none") })).report.calls).toBe(0);
  writeFileSync(join(empty, "file"), "");
  // What cannot be looked into is not the same as nothing: a check of past calls would pass.
  await expect(check({ policy, state: join(empty, "file") })).rejects.toMatchObject({
    code: "input_invalid",
  });
  await expect(check({ policy, log: empty })).rejects.toMatchObject({ code: "input_invalid" });
  await expect(check({ policy, log: join(empty, "none") })).rejects.toThrow("nothing of that name");
  writeFileSync(join(empty, "other.jsonl"), '{"kind":"other"}\nnot json\n');
  await expect(check({ policy, log: join(empty, "other.jsonl") })).rejects.toThrow("it is no audit log");
});

test("lines that are no records, and records that were changed, are counted", async () => {
  const folder = mkdtempSync(join(state, "copy-"));
  const [file = ""] = readdirSync(join(state, "audit")).filter((name) => name.endsWith(".jsonl"));
  const text = readFileSync(join(state, "audit", file), "utf8").replace("/etc/c", "/srv/c");
  const copy = join(folder, file);
  writeFileSync(copy, text);
  appendFileSync(copy, 'not json\n{"torn');
  const { report } = await check({ policy: trusted.policy, log: copy });
  expect(report).toMatchObject({ calls: 3, unreadable: 1, altered: 1 });
});

test("a rule that is not valid is told before the log is read", async () => {
  const log = join(state, "none");
  await expect(check({ policy: { rules: ["deny"] }, log })).rejects.toMatchObject({ code: "config_invalid" });
});

test("without its server, too, secrets of all servers are replaced in what is explained", async () => {
  const web = { command: "web", env: { KEY: "hunter2-hunter2" } };
  const options: HostOptions = { ...trusted, servers: { ...trusted.servers, web }, state, principal: "ann" };
  const explained = await explainOffline(options, "fs", "write", { path: "hunter2-hunter2" });
  expect(explained).toMatchObject({ decision: "ask", arguments: { path: "⟨secret web KEY, 15 chars⟩" } });
});

test("a tool that a run has seen is explained without its server", async () => {
  const options: HostOptions = { ...trusted, state, principal: "ann" };
  const explained = await explainOffline(options, "fs", "write", { path: "/srv/x" });
  expect(explained).toMatchObject({ decision: "allow", by: { rule: rules[0] } });
  expect(await explainOffline(options, "fs", "read")).toMatchObject({ by: { hint: "readOnlyHint" } });
  const asks = (tool: string, args: object) => explainOffline(options, "fs", tool, { ...args });
  await expect(asks("write", { path: 5 })).rejects.toMatchObject({ code: "input_invalid" });
  await expect(asks("gone", {})).rejects.toMatchObject({ code: "call_unknown_tool" });
  const other = { ...options, principal: "bob" };
  await expect(explainOffline(other, "fs", "read")).rejects.toMatchObject({ code: "call_unknown_tool" });
  await expect(explainOffline(options, "web", "read")).rejects.toMatchObject({ code: "server_unknown" });
});
