import { expect, test } from "vitest";
import { summaryLines } from "../../src/cli/show/summary.ts";
import type { RunResult } from "../../src/types/events.ts";

test("what a request wrote to the cache was read as well: it counts as input, what came from the cache apart", () => {
  const result: RunResult = {
    runId: "r",
    stop: { type: "answered" },
    text: "",
    message: null,
    messages: [],
    turns: 1,
    calls: 0,
    unasked: 0,
    usage: { requests: 1, inputTokens: 10, outputTokens: 5, cacheReadTokens: 2_000, cacheWriteTokens: 1_000 },
    ms: 12,
  };
  expect(summaryLines(result, (_colour, text) => text)).toEqual([
    "Answered: 1 turn, 0 calls, 1,010 tokens in (+2,000 cached), 5 out, 12 ms",
  ]);
});
