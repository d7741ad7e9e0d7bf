import { afterEach, expect, test } from "vitest";
import type { SimulatedGeminiTurn } from "../../../src/testing/gemini/turns.ts";
import type { ModelResponse } from "../../../src/types/model.ts";
import { eventsOf, requestOf, requestsTold, responseOf, userText } from "../anthropic/requests.ts";
import { closeAll, modelAt, startModel } from "./start.ts";

afterEach(closeAll);

async function answer(turn: SimulatedGeminiTurn): Promise<ModelResponse> {
  const { model } = await startModel({ turns: [turn] });
  return responseOf(model, requestOf([userText("go")]));
}

const call = { functionCall: { name: "files__read", args: { path: "a" } } };

test("calls decide although the API says STOP, and no calls are the end", async () => {
  expect(await answer({ parts: [call] })).toMatchObject({ stopReason: "tool_use", rawStopReason: "STOP" });
  expect(await answer({ parts: [{ text: "a" }] })).toMatchObject({ stopReason: "end_turn" });
});

test("an answer that was cut is one also with calls, and unknown reasons are told", async () => {
  expect(await answer({ parts: [call], finishReason: "MAX_TOKENS" })).toMatchObject({
    stopReason: "max_tokens",
  });
  expect(await answer({ parts: [{ text: "a" }], finishReason: "NEWS" })).toMatchObject({
    stopReason: "other",
    rawStopReason: "NEWS",
  });
});

test("an answer that was held back is a refusal, with the API's reason", async () => {
  for (const finishReason of ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII"]) {
    expect(await answer({ parts: [{ text: "a" }], finishReason })).toMatchObject({
      stopReason: "refusal",
      refusal: expect.stringContaining(finishReason),
    });
  }
  const told = await answer({ parts: [], finishReason: "SAFETY", finishMessage: "Too hot." });
  expect(told.refusal).toBe("Too hot.");
});

test("a question that was blocked is a refusal, and its tokens are counted", async () => {
  const blocked = await answer({ blockReason: "PROHIBITED_CONTENT" });
  expect(blocked).toMatchObject({
    stopReason: "refusal",
    rawStopReason: "PROHIBITED_CONTENT",
    refusal: expect.stringContaining("PROHIBITED_CONTENT"),
  });
  expect(blocked.usage.inputTokens).toBeGreaterThan(0);
  expect(blocked.message.native?.json).toBe("[]");
});

test("a call that cannot be read is asked for again, and what was shown before it is revoked", async () => {
  for (const finishReason of ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"]) {
    const bad = { parts: [{ text: "I will" }], finishReason, finishMessage: "files__read(" };
    const { model } = await startModel({ turns: [bad, { parts: [call] }] }, { maxRetries: 1 });
    const events = await eventsOf(model, requestOf([userText("go")]));
    const failed = events.find((event) => event.type === "attempt_failed");
    expect(failed).toMatchObject({ reason: expect.stringContaining(`${finishReason}): files__read(`) });
    expect(events.at(-1)).toMatchObject({ response: { stopReason: "tool_use" } });
    expect(requestsTold(events)).toBe(2);
  }
});

test("thoughts are output, and what came from the cache is no input", async () => {
  const { model, simulator } = await startModel({
    turns: () => ({ parts: [{ text: "hm ".repeat(40), thought: true }, { text: "a" }] }),
  });
  const long = userText("word ".repeat(8_000));
  const first = await responseOf(model, requestOf([long]));
  expect(first.usage.reasoningTokens).toBeGreaterThan(10);
  expect(first.usage.outputTokens).toBeGreaterThan(first.usage.reasoningTokens ?? 0);
  expect(first.usage.cacheReadTokens).toBe(0);
  const second = await responseOf(model, requestOf([long, first.message, userText("more")]));
  expect(second.usage.cacheReadTokens).toBeGreaterThan(9_000);
  expect(second.usage.inputTokens).toBeLessThan(first.usage.inputTokens / 10);
  expect(simulator.requests).toHaveLength(2);
});

test("a call that came without an id is answered without one", async () => {
  const { model, simulator } = await startModel(
    {
      turns: [{ parts: [{ functionCall: { name: "files__read", id: null } }] }, { parts: [{ text: "ok" }] }],
    },
    { name: "gemini-2.5-flash" },
  );
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const [block] = message.content;
  const callId = block?.type === "tool_call" ? block.id : "";
  expect(callId).not.toBe("");
  const results = {
    role: "user",
    content: [{ type: "tool_result", callId, isError: false, content: [] }],
  } as const;
  await responseOf(model, requestOf([userText("go"), message, results]));
  expect(simulator.requests[1]?.text).not.toContain('"id"');
});

test("a stream that ends without a reason is broken", async () => {
  const { simulator } = await startModel({
    turns: [{ fault: { type: "cut", afterEvents: 1, turn: { parts: [{ text: "a" }, { text: "b" }] } } }],
  });
  await expect(responseOf(modelAt(simulator.url), requestOf([userText("go")]))).rejects.toThrow();
});
