import { expect, test } from "vitest";
import {
  answered,
  approve,
  callWith,
  context,
  gate,
  key,
  record,
  settleAll,
  usage,
} from "../../test/support/recorder.ts";
import { HostError } from "../errors.ts";
import type { AuditSink } from "../types/audit.ts";
import type { CallOutcome, DenyDecision } from "../types/outcome.ts";
import { keyedHashHex } from "../util/hash.ts";
import { createRecorder } from "./recorder.ts";

test("an intent resolves only when the audit log and the journal both have it", async () => {
  const audit = gate();
  const journal = gate();
  const { recorder, entries, records } = record({ audit: audit.promise, journal: journal.promise });
  let done = false;
  const intended = recorder.intended(approve(callWith({ a: 1 })), 1, context).then(() => {
    done = true;
  });
  await settleAll();
  expect([entries.length, records.length, done]).toEqual([1, 1, false]);
  audit.open();
  await settleAll();
  expect(done).toBe(false);
  journal.open();
  await intended;
  expect(done).toBe(true);
});

test("records are gathered until an intent or the end of the run asks for them to be durable", async () => {
  const { common } = record();
  const order: string[] = [];
  const audit: AuditSink = {
    append: async (entry) => void order.push(entry.kind),
    flush: async () => void order.push("flush"),
  };
  const recorder = createRecorder({ ...common, audit, journal: null });
  const approved = approve(callWith({}));
  recorder.settled(approved, answered, 1, context);
  await recorder.intended(approved, 1, context);
  recorder.returned({ results: [], trailing: [] }, "run_1", 1);
  await recorder.ended("run_1", { type: "answered" }, 1, usage);
  expect(order).toEqual(["call_settled", "call_intended", "flush", "results_returned", "run_ended", "flush"]);
});

test("an intent says who, what, with which arguments and who allowed it", async () => {
  const { recorder, entries, records } = record();
  await recorder.intended(approve(callWith({ path: "/x" })), 2, context);
  expect(entries).toEqual([
    {
      kind: "call_intended",
      run: "run_1",
      turn: 3,
      call: "call_1",
      server: "srv",
      tool: "raw tool",
      alias: "srv__raw_tool",
      arguments: { path: "/x" },
      argumentsHash: keyedHashHex(key, '{"path":"/x"}'),
      configHash: "c1",
      definitionHash: "d1",
      decision: "allow",
      by: { type: "rule", tier: "user", rule: "allow srv/*" },
      reason: "a rule allows it",
      waitedMs: 5,
      attempt: 2,
    },
  ]);
  expect(records).toEqual([
    {
      kind: "call_intended",
      run: "run_1",
      call: "call_1",
      server: "srv",
      tool: "raw tool",
      definitionHash: "d1",
      attempt: 2,
    },
  ]);
});

test("an outcome is recorded as an answer, an error result or a failure, and whole in the journal", async () => {
  const { recorder, entries, records } = record();
  const approved = approve(callWith({}));
  const failed: CallOutcome = {
    type: "failed",
    code: "call_timeout",
    message: "late",
    executed: "maybe",
    attempts: 1,
    ms: 7,
  };
  recorder.settled(approved, answered, 1, context);
  recorder.settled(approved, { ...answered, reply: { ...answered.reply, isError: true } }, 1, context);
  recorder.settled(approved, failed, 2, context);
  await settleAll();
  expect(entries).toMatchObject([
    // 6 bytes of text, a key and a number of two digits.
    { kind: "call_settled", outcome: "answered", executed: "yes", bytesIn: 9, ms: 9 },
    { kind: "call_settled", outcome: "error_result", executed: "yes" },
    { kind: "call_settled", outcome: "failed", code: "call_timeout", executed: "maybe", attempt: 2 },
  ]);
  expect(records[2]).toEqual({ kind: "call_settled", run: "run_1", call: "call_1", outcome: failed });
});

test("denied and rejected calls, returned results and a run's ends are recorded", async () => {
  const { recorder, entries, records, secrets } = record();
  secrets.register("PASSWORD", "correct horse");
  const model = {
    api: "a",
    name: "m",
    capabilities: { toolResultImages: false, offline: true },
    stream: () => {
      throw new Error("not asked");
    },
  };
  const decision: DenyDecision = {
    type: "deny",
    by: { type: "default" },
    reason: "no rule",
    unasked: true,
    waitedMs: 0,
  };
  const block = { type: "tool_result", callId: "call_1", content: [], isError: false } as const;
  await recorder.started("run_1", model, "be good");
  recorder.denied({ type: "denied", call: callWith({ a: "correct horse" }), decision }, context);
  const rejected = { code: "call_invalid", message: `correct horse ${"x".repeat(3_000)}` } as const;
  recorder.rejected({ type: "rejected", callId: "call_2", name: "no such", rejected }, "run_1", 3);
  recorder.returned({ results: [{ block, keptBytes: 4, cutBytes: 5 }], trailing: [] }, "run_1", 3);
  await recorder.ended("run_1", { type: "answered" }, 2, usage);
  expect(entries).toMatchObject([
    { kind: "run_started", run: "run_1", principal: "me", model: "a/m" },
    { kind: "call_denied", unasked: true, arguments: { a: "⟨secret PASSWORD, 13 chars⟩" } },
    { kind: "call_rejected", call: "call_2", alias: "no such", code: "call_invalid" },
    { kind: "results_returned", results: [{ call: "call_1", bytesKept: 4, bytesCut: 5 }] },
    { kind: "run_ended", stop: "answered", turns: 2 },
  ]);
  const reason = entries[2]?.kind === "call_rejected" ? entries[2].reason : "";
  expect(reason).toMatch(/^⟨secret PASSWORD, 13 chars⟩ x+… \(\d+ more chars\)$/);
  expect(records.map((made) => made.kind)).toEqual(["run_started", "run_ended"]);
  expect(records[0]).toMatchObject({ system: "be good", at: "1970-01-01T00:00:00.000Z" });
});

test("a failing audit log rejects with audit_failed, whatever it threw, also when the journal fails", async () => {
  const broken = Promise.reject(new Error("disk on fire"));
  broken.catch(() => {});
  const { recorder } = record({ audit: broken, journal: broken });
  const failure: unknown = await recorder.intended(approve(callWith({})), 1, context).catch((error) => error);
  expect(failure).toBeInstanceOf(HostError);
  expect(failure).toMatchObject({ code: "audit_failed", message: expect.stringContaining("disk on fire") });
});

test("a failing journal rejects with store_failed", async () => {
  const broken = Promise.reject(new Error("disk on fire"));
  broken.catch(() => {});
  const { recorder } = record({ journal: broken });
  await expect(recorder.intended(approve(callWith({})), 1, context)).rejects.toMatchObject({
    code: "store_failed",
  });
});

test("an audit log that never answers fails after its limit", async () => {
  const { recorder, clock } = record({ audit: new Promise(() => {}) });
  const intended = recorder.intended(approve(callWith({})), 1, context);
  const outcome = intended.catch((error: unknown) => error);
  await clock.advance(30_000);
  expect(await outcome).toMatchObject({ code: "audit_failed", message: expect.stringContaining("30 s") });
});

test("without a log and a journal nothing fails", async () => {
  const { common } = record();
  const recorder = createRecorder({ ...common, audit: null, journal: null });
  await recorder.intended(approve(callWith({})), 1, context);
  await recorder.ended("run_1", { type: "answered" }, 1, usage);
});
