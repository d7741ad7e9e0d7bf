import { expect, test } from "vitest";
import {
  approve,
  callWith,
  context,
  gate,
  key,
  record,
  settleAll,
  usage,
} from "../../test/support/recorder.ts";
import type { ElicitationAsked } from "../types/elicitation.ts";
import type { DenyDecision } from "../types/outcome.ts";
import type { AskedBy, SamplingAsked } from "../types/server-input.ts";
import { keyedHashHex } from "../util/hash.ts";
import { createRecorder } from "./recorder.ts";

const by = {
  server: "srv",
  calls: [{ callId: "call_1" }, { callId: "call_2" }],
} as unknown as AskedBy;
const place = { run: "run_1", turn: 3, server: "srv" };
const form = (message: string) =>
  ({
    mode: "form",
    message,
    fields: [{ name: "branch" }, { name: "correct horse" }],
  }) as unknown as ElicitationAsked;

test("what a server asks is recorded with its fields' names or its URL, and the call waits", async () => {
  const { recorder, entries, records, secrets } = record();
  secrets.register("P", "correct horse");
  recorder.asked("e1", form("say correct horse"), by, context);
  const url = {
    mode: "url",
    message: "log in",
    url: "https://a/?t=correct horse",
  } as unknown as ElicitationAsked;
  recorder.asked("e2", url, by, context);
  await settleAll();
  const hidden = "⟨secret P, 13 chars⟩";
  expect(entries).toEqual([
    {
      ...{ kind: "elicitation_asked", ...place, calls: ["call_1", "call_2"], elicitation: "e1" },
      ...{ message: `say ${hidden}`, mode: "form", fields: ["branch", hidden] },
    },
    {
      ...{ kind: "elicitation_asked", ...place, calls: ["call_1", "call_2"], elicitation: "e2" },
      ...{ message: "log in", mode: "url", url: `https://a/?t=${hidden}` },
    },
  ]);
  expect(records).toEqual([
    { kind: "call_waiting", run: "run_1", call: "call_1", elicitation: "e1", message: `say ${hidden}` },
    { kind: "call_waiting", run: "run_1", call: "call_1", elicitation: "e2", message: "log in" },
  ]);
});

test("a long question is cut, and says by how much", async () => {
  const { recorder, entries } = record();
  recorder.asked("e1", form("x".repeat(2_000)), by, context);
  recorder.asked("e2", form("x".repeat(2_003)), by, context);
  await settleAll();
  expect(entries.map((entry) => "message" in entry && entry.message)).toEqual([
    "x".repeat(2_000),
    `${"x".repeat(2_000)}… (3 more chars)`,
  ]);
});

test("an answer is durable before it goes on, with the names of what was given and a hash in the values' place", async () => {
  const audit = gate();
  const { recorder, entries, records } = record({ audit: audit.promise });
  let done = false;
  const answer = { action: "accept", content: { branch: "main" } } as const;
  const going = recorder.answered("e1", answer, { waitedMs: 7 }, by, context).then(() => {
    done = true;
  });
  await settleAll();
  expect(done).toBe(false);
  audit.open();
  await going;
  await recorder.answered(
    "e2",
    { action: "decline" },
    { waitedMs: 1, reason: "nobody answered" },
    by,
    context,
  );
  expect(entries).toEqual([
    {
      ...{ kind: "elicitation_answered", ...place, elicitation: "e1", action: "accept", waitedMs: 7 },
      ...{ fields: ["branch"], contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
    {
      ...{ kind: "elicitation_answered", ...place, elicitation: "e2", action: "decline", waitedMs: 1 },
      reason: "nobody answered",
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain("main");
  expect(records).toEqual([
    { kind: "call_resumed", run: "run_1", call: "call_1", elicitation: "e1" },
    { kind: "call_resumed", run: "run_1", call: "call_1", elicitation: "e2" },
  ]);
});

const asked = {
  system: "be brief",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "correct horse" },
        { type: "image", mimeType: "image/png", data: "AAAA" },
      ],
    },
  ],
  maxTokens: 9,
} as unknown as SamplingAsked;

test("what a server asks the model is recorded with who decided, secrets replaced and pictures by their size", async () => {
  const { recorder, entries, secrets } = record();
  secrets.register("P", "correct horse");
  const allowed = { type: "approved", approved: approve(callWith({})) } as const;
  await recorder.samplingDecided("s1", asked, allowed, by, context);
  const decision: DenyDecision = {
    ...{ type: "deny", by: { type: "default" }, reason: "no: correct horse", unasked: false, waitedMs: 4 },
  };
  await recorder.samplingDecided("s2", asked, { type: "denied", call: callWith({}), decision }, by, context);
  const prompt = {
    system: "be brief",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "⟨secret P, 13 chars⟩" },
          { type: "image", mimeType: "image/png", characters: 4 },
        ],
      },
    ],
  };
  const common = { kind: "sampling_decided", ...place, calls: ["call_1", "call_2"], maxTokens: 9, prompt };
  expect(entries).toMatchObject([
    { ...common, sampling: "s1", decision: "allow", by: { type: "rule" }, waitedMs: 5 },
    { ...common, sampling: "s2", decision: "deny", reason: "no: ⟨secret P, 13 chars⟩", waitedMs: 4 },
  ]);
  expect(entries.map((entry) => "promptHash" in entry && entry.promptHash)).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
});

test("where only hashes are kept, a prompt is one", async () => {
  const { common } = record();
  const kept: unknown[] = [];
  const audit = { append: async (entry: unknown) => void kept.push(entry) };
  const recorder = createRecorder({ ...common, audit, journal: null, arguments: "hash" });
  const allowed = { type: "approved", approved: approve(callWith({})) } as const;
  await recorder.samplingDecided("s1", asked, allowed, by, context);
  const { system, messages } = asked;
  const promptHash = keyedHashHex(key, JSON.stringify({ system, messages }));
  expect(kept).toMatchObject([{ prompt: null, promptHash }]);
});

test("the end of a request to the model is recorded with its tokens, and with the code where it failed", async () => {
  const { recorder, entries } = record();
  recorder.samplingAnswered("s1", { model: "a/m", usage, ms: 3 }, by, context);
  recorder.samplingAnswered("s2", { model: "a/m", code: "aborted", usage, ms: 4 }, by, context);
  await settleAll();
  const common = { kind: "sampling_answered", ...place, model: "a/m", inputTokens: 2, outputTokens: 3 };
  expect(entries).toEqual([
    { ...common, sampling: "s1", outcome: "answered", ms: 3 },
    { ...common, sampling: "s2", outcome: "failed", code: "aborted", ms: 4 },
  ]);
  expect(entries[0]).not.toHaveProperty("code");
});
