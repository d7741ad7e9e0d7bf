import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventRenderer } from "../../src/cli/show/render-events.ts";
import { summaryLines } from "../../src/cli/show/summary.ts";
import { count, formatBytes, formatMs } from "../../src/cli/terminal/units.ts";
import type { RunEvent, RunResult } from "../../src/types/events.ts";

const paint = (_colour: string, text: string): string => text;

const proposal = (tool: string, value: string): RunEvent => ({
  type: "call_proposed",
  turn: 1,
  callId: "c1",
  alias: "fs__x",
  server: "fs",
  tool,
  arguments: { path: value },
});

const decision = (allowed: boolean, unasked = false): Extract<RunEvent, { type: "call_decided" }> => ({
  type: "call_decided",
  turn: 1,
  callId: "c1",
  decision: allowed ? "allow" : "deny",
  by: { type: "default" },
  reason: "because",
  warnings: ["reaches outside"],
  unasked,
});

function linesOf(...events: RunEvent[]): readonly string[] {
  const renderer = createEventRenderer(paint);
  return events.flatMap((event) => renderer.lines(event));
}

test("a call is shown with its arguments, its decision, its warnings, how it ended and what the model gets of it", () => {
  const completed: RunEvent = {
    type: "call_completed",
    turn: 1,
    callId: "c1",
    isError: false,
    ms: 12.4,
    attempts: 1,
  };
  const returned: RunEvent = {
    type: "results_returned",
    turn: 1,
    results: [{ callId: "c1", isError: false, bytes: 1234, cutBytes: 1_000_000 }],
  };
  expect(linesOf(proposal("read", "a.txt"), decision(true), completed, returned)).toEqual([
    '→ fs/read {"path":"a.txt"}',
    "  allowed: because",
    "  ! reaches outside",
    "✓ fs/read 12 ms",
    "  to the model: fs/read 1.2 kB (1.0 MB kept aside)",
  ]);
});

test("rules that would allow what nobody could be asked about are kept for the end", () => {
  const renderer = createEventRenderer(paint);
  const denied = {
    ...decision(false, true),
    suggestedRule: "allow fs/write path=a",
  };
  for (const event of [proposal("write", "a"), denied, denied]) renderer.lines(event);
  expect(renderer.missingRules()).toEqual(["fs/write path=a"]);
});

test("long arguments say how much is not shown", () => {
  const [line] = linesOf(proposal("read", "x".repeat(1000)), decision(true));
  expect(line).toMatch(/… \(851 more characters\)$/);
});

test("tools kept from the model are named with the reason", () => {
  const quarantined = [{ server: "fs", tool: "bad", reason: "its schema is too deep" }];
  expect(linesOf({ type: "catalog_ready", tools: 1, quarantined })).toEqual([
    "! fs/bad is kept from the model: its schema is too deep",
  ]);
});

test("how many tools the model has to search is one line", () => {
  const behindSearch = { tools: 172, reason: "OpenAI takes at most 128 tools in a request" };
  expect(linesOf({ type: "catalog_ready", tools: 126, quarantined: [], behindSearch })).toEqual([
    "  The model finds 172 more tools by a search: OpenAI takes at most 128 tools in a request.",
  ]);
});

test("the last words of a server that failed stand apart, so that they cannot pass for lines of ours", () => {
  const error = {
    code: "server_exited",
    message: 'Server "fs": it ended. Its stderr:\n✓ all is well',
  } as const;
  expect(linesOf({ type: "server_status", server: "fs", state: "failed", required: true, error })).toEqual([
    '✗ Server "fs": it ended. Its stderr:\n  | ✓ all is well',
  ]);
});

test("nothing that a server or a model writes can steer the terminal", () => {
  const text = fc.string({ unit: "binary", maxLength: 30 });
  fc.assert(
    fc.property(text, text, (first, second) => {
      const lines = linesOf(
        proposal(first, second),
        decision(true),
        { type: "catalog_ready", tools: 1, quarantined: [{ server: first, tool: second, reason: first }] },
        { type: "warning", code: "x", text: second },
        {
          type: "call_rejected",
          turn: 1,
          callId: "c",
          alias: first,
          error: { code: "call_invalid", message: second },
        },
        {
          type: "server_status",
          server: first,
          state: "failed",
          required: true,
          error: { code: "internal", message: second },
        },
        {
          type: "message_completed",
          turn: 1,
          message: {
            role: "assistant",
            content: [
              { type: "text", text: first },
              { type: "tool_call", id: "1", name: second, input: "" },
            ],
          },
          stopReason: "tool_use",
          usage: { requests: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
      );
      for (const line of lines)
        expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
    }),
    { numRuns: 300 },
  );
});

const result: RunResult = {
  runId: "run_1",
  stop: { type: "answered" },
  text: "",
  message: null,
  messages: [],
  turns: 2,
  calls: 1,
  unasked: 0,
  usage: { requests: 2, inputTokens: 1200, outputTokens: 30, cacheReadTokens: 5000, cacheWriteTokens: 0 },
  ms: 1530,
};

test("the summary says how it ended and what it used", () => {
  expect(summaryLines(result, paint)).toEqual([
    "Answered: 2 turns, 1 call, 1,200 tokens in (+5,000 cached), 30 out, 1.5 s",
  ]);
  expect(summaryLines({ ...result, stop: { type: "turn_limit", limit: 2 } }, paint)[0]).toBe(
    "Stopped at the limit of 2 turns (--max-turns N sets another).",
  );
});

test.each([
  ["time", 5000, "Stopped at the time limit of 5.0 s."],
  ["cost", 0.5, "Stopped at the cost limit of $0.50."],
  ["tokens", 9000, "Stopped at the limit of 9,000 tokens."],
  ["calls", 1, "Stopped at the limit of 1 call."],
] as const)("a limit of %s is told with its unit", (budget, limit, line) => {
  expect(summaryLines({ ...result, stop: { type: "budget", budget, limit } }, paint)[0]).toBe(line);
});

test("units are readable", () => {
  expect([0, 999.4, 1000, 59_940, 60_000, 185_000].map(formatMs)).toEqual([
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 5 s",
  ]);
  expect([0, 999, 1000, 999_949, 1_500_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "999.9 kB",
    "1.5 MB",
  ]);
  expect([count(1, "call"), count(0, "call"), count(1200, "call")]).toEqual([
    "1 call",
    "0 calls",
    "1,200 calls",
  ]);
});
