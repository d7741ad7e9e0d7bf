import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { csvRow } from "../../src/cli/commands/audit/csv.ts";
import { callLines } from "../../src/cli/commands/audit/list.ts";
import { findingLines } from "../../src/cli/commands/audit/show.ts";
import { auditedCalls, checkPolicyLog, findAudit } from "../../src/index.ts";
import { nativeHash } from "../../src/stores/native-hash.ts";
import { type ChainPosition, chainLine, noHash } from "../../src/util/hash-chain.ts";
import { isObject } from "../../src/util/own.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "odd-records-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const file = "20261130T120000Z_0123456789abcdef";
const call = { run: "run_1", turn: 1, call: "c1", server: "s", tool: "t", alias: "s__t" };
const decided = { arguments: { a: 1 }, argumentsHash: "h", reason: "r", waitedMs: 0 };
const hashes = { configHash: "c", definitionHash: "d" };
const rule = { type: "rule", tier: "user", rule: "allow s/t" };
const labels = { trusted: false, openWorld: true, private: true };
const shadow = { decision: "deny", by: rule, reason: "r" };
const asked = { run: "run_1", turn: 1, server: "s" };

const whole: readonly Readonly<Record<string, unknown>>[] = [
  { kind: "run_started", run: "run_1", principal: "ada", model: "m" },
  { kind: "call_intended", ...call, ...decided, ...hashes, by: rule, decision: "allow", attempt: 1, shadow },
  {
    kind: "call_settled",
    ...call,
    outcome: "answered",
    executed: "yes",
    attempt: 1,
    ms: 1,
    bytesIn: 1,
    labels,
  },
  { kind: "call_denied", ...call, call: "c2", ...decided, by: { type: "default" }, unasked: true },
  { kind: "call_rejected", run: "run_1", turn: 1, call: "c3", alias: "x", code: "call_invalid", reason: "r" },
  { kind: "results_returned", run: "run_1", turn: 1, results: [{ call: "c1", bytesKept: 1, bytesCut: 0 }] },
  { kind: "elicitation_asked", ...asked, elicitation: "e", calls: ["c1"], mode: "form", message: "m" },
  { kind: "elicitation_answered", ...asked, elicitation: "e", action: "accept", waitedMs: 1, fields: ["a"] },
  {
    ...{
      kind: "sampling_decided",
      ...asked,
      sampling: "s",
      calls: ["c1"],
      decision: "allow",
      by: rule,
      reason: "r",
    },
    ...{ waitedMs: 0, maxTokens: 1, prompt: [], promptHash: "h" },
  },
  {
    ...{ kind: "sampling_answered", ...asked, sampling: "s", model: "m", outcome: "answered", ms: 1 },
    ...{ inputTokens: 1, outputTokens: 1 },
  },
  { kind: "run_ended", run: "run_1", stop: "answered", turns: 1 },
];

function write(records: readonly object[]): void {
  mkdirSync(join(state, "audit"), { recursive: true });
  let position: ChainPosition = { seq: 0, hash: noHash };
  const opened = { kind: "log_opened", file, principal: "ada", pid: 1, follows: null };
  const lines = [opened, ...records].map((record) => {
    const made = chainLine(position, { at: "2026-11-30T12:00:00.000Z", mono: 1, ...record }, nativeHash);
    position = made.position;
    return made.line;
  });
  writeFileSync(join(state, "audit", `${file}.jsonl`), `${lines.join("\n")}\n`);
}

const plain = (_colour: unknown, text: string): string => text;

/** Everything that reads the log, with what each of it shows. */
async function read(): Promise<{ readonly calls: number; readonly shown: readonly string[] }> {
  const shown: string[] = [];
  let calls = 0;
  for await (const found of auditedCalls({ folder: state })) {
    calls += 1;
    shown.push(...callLines(found, plain), csvRow(found));
  }
  const finding = await findAudit("run_1", state);
  if (finding !== null) shown.push(...findingLines(finding, plain));
  await checkPolicyLog({ state, log: state, policy: { rules: ["deny s/t", "allow */*"] } }).catch((error) => {
    expect(error).toMatchObject({ code: "input_invalid" });
  });
  return { calls, shown };
}

test("every kind of record is read as it was written", async () => {
  write(whole);
  const { calls, shown } = await read();
  expect(calls).toBe(3);
  const text = shown.join("\n");
  for (const said of ["s/t allowed", "s/t denied", "x rejected", "from outside", "asked the model"]) {
    expect(text).toContain(said);
  }
});

test("a record that lacks what its kind has is passed over, whatever stands in its place, and hides no other", async () => {
  const odd = fc.oneof(
    fc.constantFrom(
      null,
      undefined,
      {},
      [],
      [{}],
      { type: "rule" },
      { type: "person", principal: 5 },
      "\u001b[2J",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const changed = fc
    .record({
      record: fc.constantFrom(...whole),
      at: fc.nat(),
      value: odd,
      inside: fc.boolean(),
    })
    .map(({ record, at, value, inside }) => {
      const names = Object.keys(record).slice(1);
      const name = names[at % names.length] ?? "";
      const before = record[name];
      const within = inside && isObject(before) ? before : {};
      const members = Object.keys(within);
      const key = members[at % Math.max(1, members.length)];
      const after = key === undefined ? value : { ...within, [key]: value };
      return { ...record, [name]: Array.isArray(before) && inside ? [value] : after };
    });
  await fc.assert(
    fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 12 }), async (records) => {
      write([...records, ...whole]);
      const { calls, shown } = await read();
      expect(calls).toBeGreaterThanOrEqual(3);
      expect(shown.join("\n")).not.toContain("\u001b");
    }),
    { numRuns: 60 },
  );
});
