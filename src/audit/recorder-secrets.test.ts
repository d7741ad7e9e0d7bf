import { expect, test } from "vitest";
import { approve, callWith, context, key, record, usage } from "../../test/support/recorder.ts";
import { keyedHashHex } from "../util/hash.ts";

test("registered secrets and well-known keys are replaced in arguments, the hash covers the full text", async () => {
  const { recorder, entries, secrets } = record();
  secrets.register("PASSWORD", "correct horse");
  const call = callWith({ auth: "correct horse", "correct horse": ["sk-ant-abc123abc123abc123abc"] });
  await recorder.intended(approve(call), 1, context);
  expect(entries[0]).toMatchObject({
    arguments: {
      auth: "⟨secret PASSWORD, 13 chars⟩",
      "⟨secret PASSWORD, 13 chars⟩": ["⟨API key, 28 chars⟩"],
    },
    argumentsHash: keyedHashHex(key, call.argumentsJson),
  });
});

test("arguments too deep for JSON are recorded up to a depth, with the hash of all of them", async () => {
  const { recorder, entries } = record();
  const text = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const call = { ...callWith({}), arguments: JSON.parse(text), argumentsJson: text };
  await recorder.intended(approve(call), 1, context);
  expect(JSON.stringify(entries[0])).toContain("deeper than 200 levels is left out");
  expect(entries[0]).toMatchObject({ argumentsHash: keyedHashHex(key, text) });
});

test("what a server answered is kept without secrets, and each block keeps its kind", async () => {
  const { recorder, records, secrets } = record();
  secrets.register("s TOKEN", "hunter2-hunter2");
  secrets.register("s WORD", "resource");
  const reply = {
    content: [
      { type: "text", text: "it is hunter2-hunter2" },
      { type: "resource", uri: "file:///hunter2-hunter2", text: "hunter2-hunter2" },
    ],
    structuredContent: { "hunter2-hunter2": ["hunter2-hunter2"] },
    isError: false,
    repairs: ["left out hunter2-hunter2"],
  } as const;
  const failed = { type: "failed", code: "call_timeout", executed: "maybe" } as const;
  const measured = { attempts: 1, ms: 1 };
  const call = approve(callWith({}));
  recorder.settled(call, { type: "answered", reply, ...measured }, 1, context);
  recorder.settled(call, { ...failed, message: "no hunter2-hunter2", ...measured }, 1, context);
  await recorder.ended("run_1", { type: "answered" }, 1, usage);
  const kept = records.filter(({ kind }) => kind === "call_settled");
  expect(JSON.stringify(kept)).not.toContain("hunter2");
  const content = [{ type: "text" }, { type: "resource", text: "⟨secret s TOKEN, 15 chars⟩" }];
  expect(kept).toMatchObject([
    { outcome: { type: "answered", reply: { content } } },
    { outcome: { type: "failed", message: "no ⟨secret s TOKEN, 15 chars⟩" } },
  ]);
});
