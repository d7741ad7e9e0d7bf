import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AuditOptions, type AuditSink, createHost, type RunEvent, type Stop } from "../../src/index.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";

let state = "";
beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), "audit-options-")), "state");
});
afterEach(() => rmSync(join(state, ".."), { recursive: true, force: true }));

const secretText = "only in the arguments";

interface Ran {
  readonly events: readonly RunEvent[];
  readonly stops: readonly Stop[];
  /** What the tool was called with. */
  readonly calls: readonly string[];
}

/** Two runs of a host, each with a call of the same tool. */
async function runTwice(audit: AuditOptions | AuditSink): Promise<Ran> {
  const calls: string[] = [];
  const server = fakeServer([
    textTool("write", (input) => {
      calls.push(JSON.stringify(input));
      return "written";
    }),
  ]);
  const input = { note: secretText };
  const turn = [{ calls: [{ name: "s__write", input }] }, { text: "done" }];
  await using host = createHost({
    servers: { s: server.config },
    model: scriptedModel([...turn, ...turn]),
    policy: { rules: ["allow s/*"] },
    state,
    store: false,
    audit,
  });
  const events: RunEvent[] = [];
  const stops: Stop[] = [];
  for (const question of ["one", "two"]) {
    const run = host.run(question);
    for await (const event of run) events.push(event);
    stops.push((await run.result).stop);
  }
  return { events, stops, calls };
}

const warningsOf = ({ events }: Ran) =>
  events.flatMap((event) => (event.type === "warning" && event.code === "audit" ? [event.text] : []));

const failing: AuditSink = {
  append: () => Promise.reject(new Error("the disk is full")),
};

test("without a log that can be written nothing runs, and every run says why", async () => {
  const ran = await runTwice(failing);
  expect(ran.calls).toEqual([]);
  expect(ran.stops).toMatchObject([
    { type: "failed", error: { code: "audit_failed", message: expect.stringContaining("the disk is full") } },
    { type: "failed", error: { code: "audit_failed" } },
  ]);
});

test("a log of a program that writes at once, without a promise, is as good as one that promises", async () => {
  const kinds: string[] = [];
  const sink = { append: ({ kind }: { kind: string }) => void kinds.push(kind), flush: () => {} };
  const { calls, stops } = await runTwice(sink as unknown as AuditSink);
  expect(stops.map(({ type }) => type)).toEqual(["answered", "answered"]);
  expect(calls).toHaveLength(2);
  expect(kinds.filter((kind) => kind.startsWith("call_"))).toHaveLength(4);
});

test("a log that throws at once is one that cannot be written", async () => {
  const sink: AuditSink = {
    append: () => {
      throw new Error("the table is full");
    },
  };
  const { calls, stops } = await runTwice(sink);
  expect(calls).toEqual([]);
  expect(stops).toMatchObject([
    { type: "failed", error: { code: "audit_failed" } },
    { type: "failed", error: { code: "audit_failed" } },
  ]);
});

test("a log that is not required is missed once, in words, and calls run", async () => {
  const ran = await runTwice({ sink: failing, required: false });
  expect(ran.calls).toHaveLength(2);
  expect(warningsOf(ran)).toEqual([
    "The audit log cannot be written, and calls run without it, as audit.required is false: the disk is full",
  ]);
});

test("who only calls directly finds in the host's notices that the log is not written", async () => {
  const server = fakeServer([textTool("write", () => "written")]);
  const audit = { sink: failing, required: false };
  const model = scriptedModel([]);
  await using host = createHost({ servers: { s: server.config }, model, state: false, audit });
  expect(host.notices).toEqual([]);
  expect((await host.call("s", "write")).isError).toBe(false);
  expect(host.notices).toEqual([expect.stringContaining("calls run without it")]);
});

test("a file in the place of the log's folder: required it stops calls, else it is told and they run", async () => {
  mkdirSync(state);
  writeFileSync(join(state, "audit"), "");
  const stopped = await runTwice({});
  expect(stopped.calls).toEqual([]);
  expect(stopped.stops).toMatchObject([
    { type: "failed", error: { code: "audit_failed" } },
    { type: "failed", error: { code: "audit_failed" } },
  ]);
  const told = await runTwice({ required: false });
  expect(told.calls).toHaveLength(2);
  expect(warningsOf(told)).toEqual([expect.stringContaining("calls run without it")]);
});

test("where only hashes are kept, no argument is in the log, and the hash is the same for the same arguments", async () => {
  expect((await runTwice({ arguments: "hash" })).calls).toHaveLength(2);
  const records = readLog();
  const intents = records.filter(({ kind }) => kind === "call_intended");
  expect(intents.map((intent) => intent.arguments)).toEqual([null, null]);
  expect(new Set(intents.map((intent) => intent.argumentsHash)).size).toBe(1);
  expect(JSON.stringify(records)).not.toContain(secretText);
});

test("by default the arguments are kept", async () => {
  await runTwice({});
  expect(JSON.stringify(readLog())).toContain(secretText);
});

test("a damaged log is told by the next run, and calls go on in a new file", async () => {
  await runTwice({});
  const audit = join(state, "audit");
  const [name = ""] = readdirSync(audit).filter((file) => file.endsWith(".jsonl"));
  const path = join(audit, name);
  const changed = readFileSync(path, "utf8").replace(secretText, "something else");
  writeFileSync(path, changed);
  const ran = await runTwice({});
  expect(ran.calls).toHaveLength(2);
  expect(warningsOf(ran)).toEqual([
    expect.stringContaining(`${path} is not as it was written, from record 3 on`),
  ]);
  expect(readFileSync(path, "utf8")).toBe(changed);
});

test.each([
  [{ arguments: "none" }, '`audit.arguments` takes "redacted" or "hash".'],
  [{ rotateBytes: 12 }, "`audit.rotateBytes` takes a whole number of at least 4096."],
  [{ sign: "/no/such/key" }, "The key /no/such/key that signs the audit log cannot be read"],
  [{ sink: failing, rotateBytes: 5_000 }, "`audit.sign` and `audit.rotateBytes` are for the files"],
])("a host with %j is refused in words", (audit, problem) => {
  const options = { servers: {}, model: scriptedModel([]), state, audit: audit as AuditOptions };
  expect(() => createHost(options)).toThrow(problem);
});

function readLog(): readonly Record<string, unknown>[] {
  const audit = join(state, "audit");
  return readdirSync(audit)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(audit, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line));
}
