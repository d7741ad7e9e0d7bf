import { expect, test } from "vitest";
import { answered, approve, callWith, context, key, record, usage } from "../../test/support/recorder.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import { keyedHashHex } from "../util/hash.ts";
import { createRecorder } from "./recorder.ts";

const labels = { trusted: false, openWorld: true, private: true };
const model = {
  api: "a",
  name: "m",
  capabilities: { toolResultImages: false, offline: true },
  stream: () => {
    throw new Error("not asked");
  },
};

/** A recorder with more settings than `record` gives. */
function recordWith(more: Partial<Parameters<typeof createRecorder>[0]>) {
  const entries: AuditEntry[] = [];
  const records: JournalRecord[] = [];
  const audit: AuditSink = { append: async (entry) => void entries.push(entry) };
  const journal: Journal = {
    id: "run_1",
    append: async (made) => void records.push(made),
    close: async () => {},
  };
  return { entries, records, recorder: createRecorder({ ...record().common, audit, journal, ...more }) };
}

test("a run that labels results says so at its beginning, and each outcome has the labels of its tool", async () => {
  const call = callWith({});
  const { entries, records, recorder } = recordWith({
    labelsOf: (tool) => (tool === call.tool ? labels : null),
  });
  await recorder.started("run_1", model, "");
  recorder.settled(approve(call), answered, 1, context);
  recorder.settled(approve(callWith({})), answered, 1, context);
  expect(records.map((made) => ("labelled" in made ? made.labelled : undefined))).toEqual([
    true,
    undefined,
    undefined,
  ]);
  for (const list of [entries, records] as const) {
    const kept = list.map((one: object) => ("labels" in one ? one.labels : undefined));
    expect(kept).toEqual([undefined, labels, undefined]);
  }
});

test("without labels none are kept, and the run does not say that it has them", async () => {
  const { entries, records, recorder } = recordWith({});
  await recorder.started("run_1", model, "");
  recorder.settled(approve(callWith({})), answered, 1, context);
  for (const one of [...entries, ...records]) {
    expect(one).not.toHaveProperty("labels");
    expect(one).not.toHaveProperty("labelled");
  }
});

test("a call that became a task is found again by the task's id", () => {
  const { recorder, records, entries } = record();
  recorder.becameTask?.(approve(callWith({})), "task_9", context);
  expect(records).toEqual([
    { kind: "call_task", run: "run_1", call: "call_1", server: "srv", tool: "raw tool", task: "task_9" },
  ]);
  expect(entries).toEqual([]);
});

test("the end of a run counts the turns of the conversation before it", async () => {
  const { records, recorder } = recordWith({ earlierTurns: 4 });
  await recorder.ended("run_1", { type: "answered" }, 2, usage);
  expect(records).toMatchObject([{ turns: 2, totalTurns: 6 }]);
});

test("every record of a call says which run, turn and call it belongs to, and which definition the call had", () => {
  const { recorder, entries } = record();
  const call = callWith({ a: 1 });
  const place = { run: "run_1", turn: 3, call: "call_1" };
  const named = { ...place, server: "srv", tool: "raw tool", alias: "srv__raw_tool" };
  const hashes = { configHash: "c1", definitionHash: "d1" };
  recorder.settled(approve(call), answered, 2, context);
  const rejected = { code: "call_invalid", message: "no" } as const;
  const { tool } = call;
  recorder.rejected(
    { type: "rejected", callId: "call_1", name: "n", rejected, tool, input: "{" },
    "run_1",
    3,
  );
  recorder.rejected({ type: "rejected", callId: "call_1", name: "n", rejected }, "run_1", 3);
  recorder.returned({ results: [], trailing: [] }, "run_1", 3);
  const refused = { ...place, kind: "call_rejected", alias: "n", code: "call_invalid", reason: "no" };
  expect(entries).toEqual([
    {
      kind: "call_settled",
      ...named,
      ...hashes,
      attempt: 2,
      ms: 9,
      outcome: "answered",
      executed: "yes",
      bytesIn: 9,
    },
    { ...refused, server: "srv", tool: "raw tool", ...hashes, argumentsHash: keyedHashHex(key, "{") },
    refused,
    { kind: "results_returned", run: "run_1", turn: 3, results: [] },
  ]);
});

test("a call that stands for another method of its server names the method", () => {
  const { recorder, entries } = record();
  const call = callWith({});
  const definition = { ...call.tool.definition, method: "prompts/get" } as const;
  recorder.settled(approve({ ...call, tool: { ...call.tool, definition } }), answered, 1, context);
  recorder.settled(approve(call), answered, 1, context);
  expect(entries[0]).toHaveProperty("method", "prompts/get");
  expect(entries[1]).not.toHaveProperty("method");
});

test("where only hashes are kept, the arguments of intents and denials are null beside their hash", async () => {
  const { entries, recorder } = recordWith({ arguments: "hash" });
  await recorder.intended(approve(callWith({ a: 1 })), 1, context);
  expect(entries).toMatchObject([{ arguments: null, argumentsHash: keyedHashHex(key, '{"a":1}') }]);
});

test("arguments of more than 16 Mi characters are named by their size and hash", async () => {
  const { entries, recorder } = recordWith({ keyedHash: (text) => `of ${text.length}` });
  const most = 16 * 1024 * 1024;
  const call = callWith({ a: 1 });
  for (const length of [most, most + 1]) {
    await recorder.intended(approve({ ...call, argumentsJson: "x".repeat(length) }), 1, context);
  }
  expect(entries).toMatchObject([
    { arguments: { a: 1 }, argumentsHash: `of ${most}` },
    { arguments: `(${most + 1} chars are left out)`, argumentsHash: `of ${most + 1}` },
  ]);
});

test("a reason of 2,000 characters is kept whole, and of a longer one the number of those that are left out", () => {
  const { recorder, entries } = record();
  for (const length of [2_000, 2_002]) {
    const rejected = { code: "call_invalid", message: "x".repeat(length) } as const;
    recorder.rejected({ type: "rejected", callId: "c", name: "n", rejected }, "run_1", 3);
  }
  expect(entries).toMatchObject([
    { reason: "x".repeat(2_000) },
    { reason: `${"x".repeat(2_000)}… (2 more chars)` },
  ]);
});

test("of an answer that goes back to the model, only texts are touched, and a block's kind never", () => {
  const { recorder, records, secrets } = record();
  secrets.register("WORD", "resource_link");
  secrets.register("PASSWORD", "correct horse");
  const block = { type: "resource_link", uri: "correct horse", size: 3 } as const;
  const reply = { content: [block], isError: false, repairs: ["correct horse"] };
  recorder.settled(approve(callWith({})), { ...answered, reply }, 1, context);
  const hidden = "⟨secret PASSWORD, 13 chars⟩";
  expect(records).toMatchObject([
    { outcome: { reply: { content: [{ type: "resource_link", uri: hidden, size: 3 }], repairs: [hidden] } } },
  ]);
  expect((records[0] as unknown as { outcome: typeof answered }).outcome.reply).not.toHaveProperty(
    "structuredContent",
  );
  const structured = { ...reply, structuredContent: { a: "correct horse" } };
  recorder.settled(approve(callWith({})), { ...answered, reply: structured }, 1, context);
  expect(records[1]).toMatchObject({ outcome: { reply: { structuredContent: { a: hidden } } } });
});
