import { expect, test } from "vitest";
import type { ModelResponse, StopReason } from "../types/model.ts";
import { assess, firstTries } from "./assess.ts";

const usage = { requests: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const call = { type: "tool_call", id: "c", name: "s__t", input: "{}" } as const;

function answer(stopReason: StopReason, text = "text"): ModelResponse {
  const message = { role: "assistant", content: [{ type: "text", text }] } as const;
  return { message, stopReason, rawStopReason: stopReason, usage };
}

test("more room is given once and never more than the models take", () => {
  const first = assess(answer("max_tokens"), [], firstTries(50_000));
  expect(first).toMatchObject({ type: "ask_again", tries: { maxTokens: 64_000, roomDoubled: true } });
  const second = assess(answer("max_tokens"), [], { ...firstTries(64_000), roomDoubled: true });
  expect(second).toEqual({ type: "finish", stop: { type: "truncated" }, store: true });
});

test("more room is never less than what was asked for", () => {
  const next = assess(answer("max_tokens"), [call], firstTries(100_000));
  expect(next).toMatchObject({ type: "answer_cut_calls", tries: { maxTokens: 100_000 } });
});

test("a full context window is not asked again: more room would not help", () => {
  expect(assess(answer("context_window_exceeded"), [], firstTries(1_000))).toMatchObject({ type: "finish" });
  expect(assess(answer("context_window_exceeded"), [call], firstTries(1_000))).toMatchObject({
    type: "answer_cut_calls",
    stop: { type: "truncated" },
  });
});

test.each(["end_turn", "tool_use", "stop_sequence", "pause_turn", "other"] as const)(
  "with calls the stop reason %s changes nothing, and what was tried may be tried again",
  (reason) => {
    const tried = { maxTokens: 2_000, roomDoubled: true, nudged: true, pauses: 9 };
    expect(assess(answer(reason), [call], tried)).toEqual({ type: "run_calls", tries: firstTries(2_000) });
  },
);

test("an unknown stop reason without calls ends the run as answered", () => {
  expect(assess(answer("other"), [], firstTries(1_000))).toEqual({
    type: "finish",
    stop: { type: "answered" },
    store: true,
  });
});

test.each(["max_tokens", "context_window_exceeded", "pause_turn"] as const)(
  "an answer with nothing in it is not stored, also when it stopped with %s",
  (reason) => {
    const native = { api: "x", model: "y", json: "[]" };
    const nothing = { ...answer(reason), message: { role: "assistant", content: [], native } } as const;
    const tried = { ...firstTries(1_000), roomDoubled: true };
    expect(assess(nothing, [], tried)).toMatchObject(
      reason === "pause_turn" ? { type: "ask_again" } : { type: "finish", store: false },
    );
  },
);

test("an answer that only its API can read is stored: a pause goes on from it", () => {
  const native = { api: "x", model: "y", json: '[{"type":"server_tool_use"}]' };
  const hidden = { ...answer("pause_turn"), message: { role: "assistant", content: [], native } } as const;
  expect(assess(hidden, [], firstTries(1_000))).toMatchObject({ type: "resume" });
});
