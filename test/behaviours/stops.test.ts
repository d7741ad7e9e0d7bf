import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { type FakeTool, fakeServer, textTool } from "../../src/testing/index.ts";
import type { Message } from "../../src/types/message.ts";
import type { Model } from "../../src/types/model.ts";
import { runScript, textOf } from "../support/run-host.ts";

/** Every call has exactly one result, in the message that follows it. */
function expectComplete(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    if (message.role !== "assistant") return;
    const asked = message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
    const next = messages[index + 1];
    const answered =
      next?.content.flatMap((block) => (block.type === "tool_result" ? [block.callId] : [])) ?? [];
    expect(answered).toEqual(asked);
  });
}

/** Answers after so many milliseconds, or as soon as it is cancelled. */
function slowTool(ms: number): FakeTool {
  const run = (signal: AbortSignal) => delay(ms, "slow", { signal }).catch(() => "cancelled");
  return textTool("slow", (_, { signal }) => run(signal));
}

const echo = () => fakeServer([textTool("echo", () => "echo")]);
const call = { calls: [{ name: "s__echo" }] };

test("the turn limit ends the run with its stop and a valid transcript", async () => {
  const { result } = await runScript([call, call, call], { servers: { s: echo() }, limits: { turns: 2 } });
  expect(result.stop).toEqual({ type: "turn_limit", limit: 2 });
  expect(result.turns).toBe(2);
  expectComplete(result.messages);
});

test("the turn limit is 20 unless it is set", async () => {
  const calls = Array.from({ length: 21 }, (_, index) => ({
    calls: [{ name: "s__echo", input: { index } }],
  }));
  const { result } = await runScript(calls, { servers: { s: echo() } });
  expect(result.stop).toEqual({ type: "turn_limit", limit: 20 });
});

test.each(["end_turn", "stop_sequence", "other", "pause_turn"] as const)(
  "calls are run whatever the stop reason says: %s",
  async (stopReason) => {
    const server = echo();
    const { result } = await runScript([{ ...call, stopReason }, { text: "done" }], {
      servers: { s: server },
    });
    expect(server.calls).toHaveLength(1);
    expect(result.text).toBe("done");
  },
);

test("a turn without calls ends the run although its stop reason speaks of tools", async () => {
  const { result, model } = await runScript([{ text: "that is all", stopReason: "tool_use" }]);
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "that is all" });
  model.assertDone();
});

test("a call cut off at the token limit is never run; it is answered, and the model gets more room once", async () => {
  const server = echo();
  const cut = { calls: [{ name: "s__echo", input: '{"word":"hal' }], stopReason: "max_tokens" } as const;
  const { result, results, model } = await runScript([cut, { text: "done" }], {
    servers: { s: server },
    maxTokens: 1_000,
  });
  expect(server.calls).toEqual([]);
  expect(textOf(results(0)[0])).toContain("truncated");
  expect(model.requests.map((request) => request.maxTokens)).toEqual([1_000, 2_000]);
  expect(result.stop).toEqual({ type: "answered" });
});

test("a second cut call in a row ends the run as truncated, with a valid transcript", async () => {
  const cut = { ...call, stopReason: "max_tokens" } as const;
  const server = echo();
  const { result } = await runScript([cut, cut], { servers: { s: server } });
  expect(result.stop).toEqual({ type: "truncated" });
  expect(server.calls).toEqual([]);
  expectComplete(result.messages);
});

test("a text cut off at the token limit is asked for again with more room, and nothing of it is kept", async () => {
  const steps = [
    { text: "The answer is lo", stopReason: "max_tokens" } as const,
    { text: "The answer is long." },
  ];
  const { result, events } = await runScript(steps);
  expect(result.text).toBe("The answer is long.");
  expect(result.messages).toHaveLength(2);
  expect(events.some((event) => event.type === "turn_revoked")).toBe(true);
});

test("a paused turn is sent back unchanged and resumed without a word in between", async () => {
  const { result, model } = await runScript([
    { text: "searching", stopReason: "pause_turn" },
    { text: "found" },
  ]);
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "found" });
  expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant"]);
});

test("pauses in a row are bounded", async () => {
  const { result } = await runScript(Array(30).fill({ text: "…", stopReason: "pause_turn" }), {
    limits: { turns: 100 },
  });
  expect(result.stop).toEqual({ type: "truncated" });
  expect(result.turns).toBe(11);
});

test("a refusal ends the run with its explanation; nothing of it is stored and none of its calls is run", async () => {
  const server = echo();
  const refusal = { ...call, text: "partial", stopReason: "refusal", refusal: "cyber" } as const;
  const { result } = await runScript([refusal], { servers: { s: server } });
  expect(result.stop).toEqual({ type: "refused", explanation: "cyber" });
  expect(server.calls).toEqual([]);
  expect(result.messages.map((message) => message.role)).toEqual(["user"]);
});

test("an empty turn is not stored: the model is asked once more, and a second one ends the run", async () => {
  const { result, model } = await runScript([call, { text: "" }, { text: "summary" }], {
    servers: { s: echo() },
  });
  expect(result.text).toBe("summary");
  expect(model.requests[2]?.messages.every((message) => message.content.length > 0)).toBe(true);
  const twice = await runScript([{ text: "" }, { text: "  " }]);
  expect(twice.result.stop).toMatchObject({ type: "failed", error: { code: "model_empty_response" } });
});

test("a full context window ends the run, and calls in that turn are answered but not run", async () => {
  const server = echo();
  const full = { ...call, stopReason: "context_window_exceeded" } as const;
  const { result } = await runScript([full], { servers: { s: server } });
  expect(result.stop).toEqual({ type: "truncated" });
  expect(server.calls).toEqual([]);
  expectComplete(result.messages);
});

test("a model that fails ends the run with its error, and the transcript stays valid", async () => {
  const { result } = await runScript([call, new Error("no more")], { servers: { s: echo() } });
  expect(result.stop).toMatchObject({ type: "failed", error: { message: "no more" } });
  expectComplete(result.messages);
});

test("the final text is the text blocks joined with a line break, and the whole final message is there too", async () => {
  const { result } = await runScript([{ thinking: "hm", text: ["one", "two"] }]);
  expect(result.text).toBe("one\ntwo");
  expect(result.message?.content).toEqual([
    { type: "thinking", text: "hm" },
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
});

test.each([
  "turn_started",
  "message_completed",
  "call_proposed",
  "call_started",
  "call_decided",
  "results_returned",
])("an abort at %s leaves a transcript in which every call has its result", async (moment) => {
  const abort = new AbortController();
  const server = fakeServer([slowTool(300), textTool("echo", () => "echo")]);
  const calls = [{ name: "s__slow" }, { name: "s__echo" }];
  const { result } = await runScript([{ calls }, { calls }, { text: "done" }], {
    servers: { s: server },
    run: { signal: abort.signal },
    onEvent: (event) => event.type === moment && abort.abort(),
  });
  expect(result.stop).toEqual({ type: "aborted" });
  expectComplete(result.messages);
});

test("an abort cancels what runs at its server", async () => {
  const abort = new AbortController();
  const server = fakeServer([slowTool(4_000)]);
  const { results } = await runScript([{ calls: [{ name: "s__slow" }] }, { text: "done" }], {
    servers: { s: server },
    run: { signal: abort.signal },
    onEvent: (event) => event.type === "call_started" && abort.abort(),
  });
  expect(textOf(results(0)[0])).toContain("Cancelled");
  expect(server.cancelled).toEqual(["slow"]);
});

test("an abort ends a run also when the model never answers and minds no signal", async () => {
  const abort = new AbortController();
  const deaf: Model = {
    api: "deaf",
    name: "deaf",
    capabilities: { toolResultImages: true, offline: false },
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
  };
  await using host = createHost({ servers: {}, model: deaf, state: false });
  const run = host.run("go", { signal: abort.signal });
  for await (const event of run) if (event.type === "turn_started") abort.abort();
  expect((await run.result).stop).toEqual({ type: "aborted" });
});
