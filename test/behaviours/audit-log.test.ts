import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHost, verifyAudit } from "../../src/index.ts";
import { type FakeTool, fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { Approver } from "../../src/types/approval.ts";
import { rawServer } from "../fixtures/connections/connect.ts";

const token = "hunter2-hunter2-hunter2";
const apiKey = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const noteSchema = { type: "object", properties: { note: { type: "string" } } };

const failing: FakeTool = {
  definition: { name: "fail", inputSchema: { type: "object" } },
  run: () => ({ isError: true, content: [{ type: "text", text: "no" }] }),
};

/** The state folder of a run in which something of everything happened to calls. */
let state = "";

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "audit-log-"));
  const local = fakeServer([
    textTool("look", () => "seen", { annotations: { readOnlyHint: true } }),
    textTool("write", () => "written", { inputSchema: noteSchema }),
    textTool("forbidden", () => "never"),
    failing,
    textTool("hang", (_, { signal }) => {
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("late")));
    }),
  ]);
  const remote = rawServer(
    { tools: [{ name: "progress", inputSchema: { type: "object" } }] },
    { env: { API_TOKEN: token } },
  );
  const calls = [
    { id: "look", name: "local__look" },
    { id: "write", name: "local__write", input: { note: `key ${apiKey}` } },
    { id: "forbidden", name: "local__forbidden", input: { path: "/etc" } },
    { id: "fail", name: "local__fail" },
    { id: "hang", name: "local__hang" },
    { id: "remote", name: "remote__progress", input: { header: `token=${token}` } },
    { id: "unknown", name: "local__lok" },
    { id: "invalid", name: "local__write", input: { note: 3 } },
  ];
  const approve: Approver = ({ questions, answer }) => {
    for (const { id } of questions) answer(id, { type: "allow", scope: "once" });
  };
  await using host = createHost({
    servers: { local: local.config, remote },
    model: scriptedModel([{ calls }, { text: "done" }]),
    policy: {
      trust: ["local"],
      rules: ["deny local/forbidden", "allow local/fail", "allow local/hang", "allow remote/*"],
    },
    approve,
    state,
    principal: "ada",
    limits: { callIdleMs: 500 },
  });
  await host.run("go").result;
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

function logFile(folder: string): string {
  const names = readdirSync(join(folder, "audit")).filter((name) => name.endsWith(".jsonl"));
  expect(names).toHaveLength(1);
  return join(folder, "audit", names[0] ?? "");
}

const linesOf = (folder: string) => readFileSync(logFile(folder), "utf8").split("\n").slice(0, -1);

const entries = () => linesOf(state).map((line) => JSON.parse(line) as Record<string, unknown>);
const about = (call: string) => entries().filter((entry) => entry.call === call);

test("every call that ran is in the audit log: server, tool, arguments, who allowed it, and how it ended", () => {
  expect(about("look")).toMatchObject([
    {
      kind: "call_intended",
      server: "local",
      tool: "look",
      alias: "local__look",
      arguments: {},
      decision: "allow",
      by: { type: "hint", hint: "readOnlyHint" },
    },
    { kind: "call_settled", server: "local", tool: "look", outcome: "answered", executed: "yes" },
  ]);
  expect(about("write")[0]).toMatchObject({ decision: "allow", by: { type: "person", principal: "ada" } });
  expect(about("fail")).toMatchObject([
    { decision: "allow", by: { type: "rule", rule: "allow local/fail" } },
    { kind: "call_settled", outcome: "error_result" },
  ]);
  expect(about("hang")[1]).toMatchObject({ kind: "call_settled", outcome: "failed", code: "call_timeout" });
  expect(about("remote")).toMatchObject([{ server: "remote", tool: "progress" }, { outcome: "answered" }]);
});

test("every record of a call names the tool's definition and its server's configuration, also of one that did not run", () => {
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const hashes = {
    server: expect.any(String),
    tool: expect.any(String),
    configHash: hash,
    definitionHash: hash,
  };
  const kinds = ["look", "hang", "forbidden", "invalid"].map((call) => {
    const records = about(call);
    for (const record of records) expect(record).toMatchObject(hashes);
    return records.map(({ kind }) => kind);
  });
  expect(kinds).toEqual([
    ["call_intended", "call_settled"],
    ["call_intended", "call_settled"],
    ["call_denied"],
    ["call_rejected"],
  ]);
  expect(about("invalid")).toMatchObject([{ argumentsHash: hash }]);
  expect(about("forbidden")).toMatchObject([{ decision: "deny" }]);
  expect(about("unknown")[0]).not.toHaveProperty("server");
});

test("every call that did not run is in the audit log: denied, unknown, invalid", () => {
  expect(about("forbidden")).toMatchObject([
    {
      kind: "call_denied",
      server: "local",
      tool: "forbidden",
      arguments: { path: "/etc" },
      by: { type: "rule", rule: "deny local/forbidden" },
    },
  ]);
  expect(about("unknown")).toMatchObject([
    { kind: "call_rejected", alias: "local__lok", code: "call_unknown_tool" },
  ]);
  expect(about("invalid")).toMatchObject([
    { kind: "call_rejected", alias: "local__write", code: "call_invalid" },
  ]);
});

test("secrets in arguments are redacted in the audit log, and nothing else of the arguments is", () => {
  expect(about("remote")[0]?.arguments).toEqual({
    header: "token=⟨secret remote API_TOKEN, 23 chars⟩",
  });
  expect(about("write")[0]?.arguments).toEqual({ note: expect.stringMatching(/^key ⟨.*⟩$/) });
  const log = linesOf(state).join("\n");
  expect(log).not.toContain(token);
  expect(log).not.toContain(apiKey);
});

const tampering: readonly (readonly [string, (lines: string[]) => string[]])[] = [
  ["was changed", (lines) => lines.map((line) => line.replace('"path":"/etc"', '"path":"/tmp"'))],
  ["was removed", (lines) => lines.filter((line) => !line.includes('"call_denied"'))],
  ["was removed at the end", (lines) => lines.slice(0, -1)],
  ["was moved", (lines) => [...lines.slice(0, 3), lines[4] ?? "", lines[3] ?? "", ...lines.slice(5)]],
  ["was written twice", (lines) => [...lines.slice(0, 4), lines[3] ?? "", ...lines.slice(4)]],
];

test("the audit log of a run is verified as it was written", async () => {
  expect(await verifyAudit(state)).toMatchObject({ ok: true, records: linesOf(state).length });
});

test.each(tampering)("audit verify finds a line that %s", async (_, change) => {
  const copy = mkdtempSync(join(tmpdir(), "audit-log-copy-"));
  try {
    cpSync(state, copy, { recursive: true });
    const lines = linesOf(copy);
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    writeFileSync(logFile(copy), changed.map((line) => `${line}\n`).join(""));
    const report = await verifyAudit(copy);
    expect(report.ok).toBe(false);
    const first = lines.findIndex((line, index) => line !== changed[index]) + 1;
    expect(report.files.find((file) => !file.ok)).toMatchObject({ firstBadSeq: first });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
