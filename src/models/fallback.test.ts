import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import type { Message } from "../types/message.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../types/model.ts";
import { withFallbacks } from "./fallback.ts";

const usage = { requests: 1, inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** A model that answers with its name, refuses, or throws. */
function model(name: string, does: "answers" | "refuses" | "throws", asked: string[] = []): Model {
  return {
    api: "test",
    name,
    capabilities: { toolResultImages: true, offline: false },
    async *stream() {
      asked.push(name);
      yield { type: "text_delta", text: `${name} begins` };
      if (does === "throws") throw new HostError("model_overloaded", `${name} is down`);
      const response: ModelResponse = {
        message: { role: "assistant", content: [{ type: "text", text: name }] },
        stopReason: does === "refuses" ? "refusal" : "end_turn",
        rawStopReason: "",
        ...(does === "refuses" ? { refusal: `${name} will not` } : {}),
        usage,
      };
      yield { type: "response", response };
    },
  };
}

async function ask(asked: Model, messages: readonly Message[] = [user("go")]): Promise<ModelEvent[]> {
  const snapshot = { version: 1, tools: [], byAlias: new Map(), quarantined: [] };
  const request: ModelRequest = {
    system: "",
    snapshot,
    messages,
    maxTokens: 10,
    signal: new AbortController().signal,
  };
  const events: ModelEvent[] = [];
  for await (const event of asked.stream(request)) events.push(event);
  return events;
}

function responseIn(events: readonly ModelEvent[]): ModelResponse | undefined {
  const last = events.at(-1);
  return last?.type === "response" ? last.response : undefined;
}

test("fallback models are asked in order until one answers; what was shown is revoked, and each one's tokens are told", async () => {
  const asked: string[] = [];
  const fallbacks = [
    model("b", "refuses", asked),
    model("c", "answers", asked),
    model("d", "answers", asked),
  ];
  const events = await ask(withFallbacks(model("a", "refuses", asked), fallbacks));
  expect(asked).toEqual(["a", "b", "c"]);
  expect(events.filter(({ type }) => type !== "text_delta")).toMatchObject([
    { type: "usage", usage, answeredBy: { api: "test", model: "a" } },
    { type: "attempt_failed", attempt: 1, reason: "the model refused: a will not", retryInMs: 0 },
    { type: "model_fallback", from: "test/a", to: "test/b", reason: "a will not" },
    { type: "usage", usage, answeredBy: { api: "test", model: "b" } },
    { type: "attempt_failed", attempt: 2 },
    { type: "model_fallback", from: "test/b", to: "test/c" },
    { type: "response" },
  ]);
  expect(responseIn(events)).toMatchObject({
    message: { content: [{ text: "c" }] },
    stopReason: "end_turn",
    usage: { requests: 1, inputTokens: 10 },
  });
});

test("a model that answers is the only one asked, and one without fallbacks is itself", async () => {
  const asked: string[] = [];
  await ask(withFallbacks(model("a", "answers", asked), [model("b", "answers", asked)]));
  expect(asked).toEqual(["a"]);
  const alone = model("a", "answers");
  expect(withFallbacks(alone, [])).toBe(alone);
});

test("when all refuse, the last refusal is the answer", async () => {
  const events = await ask(withFallbacks(model("a", "refuses"), [model("b", "refuses")]));
  expect(responseIn(events)).toMatchObject({
    stopReason: "refusal",
    refusal: "b will not",
    usage: { requests: 1 },
  });
});

test("a fallback that fails is passed over with a warning; the first model's own failure is not", async () => {
  const events = await ask(
    withFallbacks(model("a", "refuses"), [model("b", "throws"), model("c", "answers")]),
  );
  const failed = events.findIndex(({ type }) => type === "warning");
  expect(events[failed - 1]).toMatchObject({ type: "attempt_failed", reason: "b is down" });
  expect(events[failed]).toEqual({
    type: "warning",
    code: "model_fallback_failed",
    text: "The fallback model test/b failed: b is down",
  });
  expect(responseIn(events)).toMatchObject({ message: { content: [{ text: "c" }] } });
  const down = await ask(withFallbacks(model("a", "refuses"), [model("b", "throws")]));
  expect(responseIn(down)).toMatchObject({
    stopReason: "refusal",
    refusal: "a will not",
    // They were told already.
    usage: { requests: 0, inputTokens: 0 },
  });
  await expect(ask(withFallbacks(model("a", "throws"), [model("b", "answers")]))).rejects.toThrow(
    "a is down",
  );
});

test("the model that began a turn of tools goes on with it, and the next question is for the first again", async () => {
  const call = { type: "tool_call", id: "c", name: "s__t", input: "{}" } as const;
  const native = { api: "test", model: "b", json: "[]" };
  const result = { type: "tool_result", callId: "c", content: [], isError: false } as const;
  const turn: Message[] = [
    user("go"),
    { role: "assistant", content: [call], native },
    { role: "user", content: [result] },
  ];
  const asked: string[] = [];
  const both = withFallbacks(model("a", "answers", asked), [model("b", "answers", asked)]);
  await ask(both, turn);
  const done: Message = { role: "assistant", content: [{ type: "text", text: "done" }], native };
  await ask(both, [...turn, done, user("and?")]);
  expect(asked).toEqual(["b", "a"]);
});

test("the first model's counter is asked as its own: it may be a method", async () => {
  const counting: Model = {
    ...model("first", "answers"),
    countTokens() {
      return Promise.resolve(this.name.length);
    },
  };
  const request = { system: "", messages: [], maxTokens: 10, signal: new AbortController().signal };
  const snapshot = { version: 1, tools: [], byAlias: new Map(), quarantined: [] };
  const counted = withFallbacks(counting, [model("second", "answers")]).countTokens?.({
    ...request,
    snapshot,
  });
  await expect(counted).resolves.toBe(5);
});
