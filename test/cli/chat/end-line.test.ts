import { expect, test } from "vitest";
import { endLines } from "../../../src/cli/chat/turn/end-line.ts";
import type { RunResult, Stop } from "../../../src/types/events.ts";

function ended(stop: Stop): RunResult {
  return {
    runId: "r",
    stop,
    text: "",
    message: null,
    messages: [],
    turns: 1,
    calls: 0,
    unasked: 0,
    usage: { requests: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    ms: 12,
  };
}

test.each([
  ["time", 5000, "Stopped at the time limit of 5.0 s."],
  ["cost", 0.5, "Stopped at the cost limit of $0.50."],
  ["tokens", 2000, "Stopped at the limit of 2,000 tokens."],
] as const)("a limit of %s is told with its unit below an answer of the chat", (budget, limit, text) => {
  expect(endLines(ended({ type: "budget", budget, limit }), true, (_colour, line) => line)[0]).toBe(text);
});
