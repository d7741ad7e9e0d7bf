import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ChainPosition, chainLine, noHash } from "../util/hash-chain.ts";
import { type AuditedCall, auditedCalls, findAudit } from "./audit-query.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-audit-"));
  folders.push(folder);
  mkdirSync(join(folder, "audit"));
  return folder;
}

const atSecond = (second: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, second)).toISOString();

/** Writes a file of the log whose records are one second apart, from `second` on. */
function writeLog(folder: string, file: string, second: number, entries: readonly object[]): string {
  let position: ChainPosition = { seq: 0, hash: noHash };
  const records = [{ kind: "log_opened", file, principal: "ada", pid: 1, follows: null }, ...entries];
  const lines = records.map((entry, index) => {
    const made = chainLine(position, { at: atSecond(second + index), mono: index, ...entry });
    position = made.position;
    return made.line;
  });
  const path = join(folder, "audit", `${file}.jsonl`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  const changed = new Date(Date.UTC(2026, 10, 30, 12, 0, second + entries.length));
  utimesSync(path, changed, changed);
  return path;
}

const identity = (run: string, call: string, server = "notes") => ({
  run,
  turn: 1,
  call,
  server,
  tool: "read",
  alias: `${server}__read`,
});
const decided = { arguments: { path: "a" }, argumentsHash: "h", reason: "because", waitedMs: 0 };
const intended = (run: string, call: string, server?: string) => ({
  kind: "call_intended",
  ...identity(run, call, server),
  ...decided,
  by: { type: "direct" },
  configHash: "c",
  definitionHash: "d",
  decision: "allow",
  attempt: 1,
});
const settled = (run: string, call: string, server?: string) => ({
  kind: "call_settled",
  ...identity(run, call, server),
  outcome: "answered",
  executed: "yes",
  attempt: 1,
  ms: 5,
  bytesIn: 10,
});
const denied = (run: string, call: string) => ({
  kind: "call_denied",
  ...identity(run, call),
  ...decided,
  by: { type: "default" },
  unasked: true,
});
const returned = (run: string, ...calls: string[]) => ({
  kind: "results_returned",
  run,
  turn: 1,
  results: calls.map((call) => ({ call, bytesKept: 10, bytesCut: 2 })),
});

async function all(query: Parameters<typeof auditedCalls>[0]): Promise<AuditedCall[]> {
  const calls: AuditedCall[] = [];
  for await (const call of auditedCalls(query)) calls.push(call);
  return calls;
}
const idsOf = (calls: readonly AuditedCall[]) => calls.map(({ decided }) => decided.call);

test("calls come the newest first, each with its decision, its outcome and what went back", async () => {
  const folder = stateFolder();
  writeLog(folder, "f", 0, [
    intended("r1", "a"),
    intended("r1", "b"),
    settled("r1", "b"),
    denied("r1", "c"),
    returned("r1", "b", "c"),
  ]);
  const calls = await all({ folder });
  expect(idsOf(calls)).toEqual(["c", "b", "a"]);
  expect(calls[1]).toMatchObject({
    file: "f",
    seq: 3,
    at: atSecond(2),
    intact: true,
    settled: { outcome: "answered", ms: 5 },
    returned: { bytesKept: 10, bytesCut: 2 },
  });
  // It runs at this moment, or its process died in it.
  expect(calls[2]).toMatchObject({ settled: null, returned: null });
});

test("files of processes that wrote at the same time are merged by time", async () => {
  const folder = stateFolder();
  writeLog(folder, "old", 0, [intended("r0", "o1")]);
  writeLog(folder, "long", 10, [
    intended("r1", "l1"),
    intended("r1", "l2"),
    ...Array(20).fill(returned("r1")),
  ]);
  writeLog(folder, "short", 11, [intended("r2", "s1")]);
  // Times: l1 11 s, l2 12 s, s1 12 s.
  const ids = idsOf(await all({ folder }));
  expect(ids.slice(0, 2).sort()).toEqual(["l2", "s1"]);
  expect(ids.slice(2)).toEqual(["l1", "o1"]);
});

test("a query narrows by run, server, decision and time", async () => {
  const folder = stateFolder();
  writeLog(folder, "f", 0, [intended("r1", "a"), intended("r2", "b", "web"), denied("r2", "c")]);
  expect(idsOf(await all({ folder, run: "r2" }))).toEqual(["c", "b"]);
  expect(idsOf(await all({ folder, server: "web" }))).toEqual(["b"]);
  expect(idsOf(await all({ folder, decision: "deny" }))).toEqual(["c"]);
  expect(idsOf(await all({ folder, decision: "allow" }))).toEqual(["b", "a"]);
  expect(idsOf(await all({ folder, since: new Date(atSecond(2)) }))).toEqual(["c", "b"]);
});

test("a torn last line, a foreign line and a record without its members are passed over", async () => {
  const folder = stateFolder();
  const path = writeLog(folder, "f", 0, [intended("r1", "a"), { kind: "call_intended", run: "r1" }]);
  appendFileSync(path, 'no JSON\n{"kind":"call_denied","seq":9,"at":"');
  expect(idsOf(await all({ folder }))).toEqual(["a"]);
});

test("a record that somebody changed says so", async () => {
  const folder = stateFolder();
  writeLog(folder, "f", 0, [intended("r1", "a")]);
  const forged = { v: 1, seq: 3, prev: "", at: atSecond(3), mono: 0, ...denied("r1", "x"), hash: "0" };
  appendFileSync(join(folder, "audit", "f.jsonl"), `${JSON.stringify(forged)}\n`);
  expect((await all({ folder })).map(({ intact }) => intact)).toEqual([false, true]);
});

test("a run or a call is shown with every record of it, in order, and on whose behalf", async () => {
  const folder = stateFolder();
  const run = { kind: "run_started", run: "r1", principal: "ada", model: "m" };
  writeLog(folder, "f", 0, [
    run,
    intended("r1", "a"),
    settled("r1", "a"),
    intended("r1", "b"),
    returned("r1", "a", "b"),
    { kind: "run_ended", run: "r1", stop: "answered", turns: 1 },
    intended("r2", "z"),
  ]);
  const kinds = async (selector: string) =>
    (await findAudit(selector, folder))?.records.map(({ seq, entry }) => `${seq} ${entry.kind}`);
  const ofA = ["2 run_started", "3 call_intended", "4 call_settled", "6 results_returned"];
  expect(await kinds("a")).toEqual(ofA);
  expect(await kinds("4")).toEqual(ofA);
  expect(await kinds("f:4")).toEqual(ofA);
  expect((await kinds("r1"))?.length).toBe(6);
  expect(await kinds("1")).toEqual(["1 log_opened"]);
  expect((await findAudit("r1", folder))?.principal).toBe("ada");
  for (const unknown of ["nothing", "99", "g:4", "", '"'])
    expect(await findAudit(unknown, folder)).toBeNull();
});

test("a folder without a log has no calls", async () => {
  expect(await all({ folder: join(stateFolder(), "none") })).toEqual([]);
});

test("a file that is removed while it is read takes nothing with it but whose it was", async () => {
  const folder = stateFolder();
  const early = writeLog(folder, "early", 0, [intended("run_1", "call_a"), settled("run_1", "call_a")]);
  writeLog(folder, "late", 1, [intended("run_2", "call_b"), settled("run_2", "call_b")]);
  const found: (readonly [run: string, principal: string])[] = [];
  for await (const { decided, principal } of auditedCalls({ folder })) {
    rmSync(early, { force: true });
    found.push([decided.run, principal]);
  }
  expect(found).toEqual([
    ["run_2", "ada"],
    ["run_1", ""],
  ]);
});
