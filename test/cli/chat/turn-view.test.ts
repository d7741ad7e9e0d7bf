import { expect, test } from "vitest";
import { createTurnView, type Told } from "../../../src/cli/chat/turn/turn-view.ts";
import type { RunEvent } from "../../../src/types/events.ts";

const plain = (_colour: string, text: string) => text;
const told = (): Told => ({ servers: new Map(), warnings: new Set() });
const turn = 1;

/** What a run of these events leaves on the screen, and the view after it. */
function play(events: readonly RunEvent[], known: Told = told()) {
  const view = createTurnView(plain, known);
  const shown = events.flatMap((event) => view.show(event, 0, 80));
  return { view, lines: shown.map((piece) => piece.text) };
}

const proposed = (callId: string, path: string): RunEvent => ({
  type: "call_proposed",
  turn,
  callId,
  alias: "fs__read",
  server: "fs",
  tool: "read",
  arguments: { path },
});
const allowed = (callId: string): RunEvent => ({
  type: "call_decided",
  turn,
  callId,
  decision: "allow",
  by: { type: "rule", tier: "user", rule: "allow fs/*" },
  reason: "The rule `allow fs/*` allows it.",
  warnings: ["It may reach outside."],
  unasked: false,
});
const completed = (callId: string, ms: number): RunEvent => ({
  type: "call_completed",
  turn,
  callId,
  isError: false,
  ms,
  attempts: 1,
});
const returned = (...callIds: string[]): RunEvent => ({
  type: "results_returned",
  turn,
  results: callIds.map((callId) => ({ callId, isError: false, bytes: 1234, cutBytes: 0 })),
});

test("a call is one line while it runs, and one with time, size and decision when it is over", () => {
  const view = createTurnView(plain, told());
  for (const event of [proposed("1", "a"), allowed("1")]) expect(view.show(event, 0, 80)).toEqual([]);
  view.show({ type: "call_started", turn, callId: "1", attempt: 1 }, 1_000, 80);
  view.show({ type: "call_progress", turn, callId: "1", progress: 3, total: 9, text: "pages" }, 2_000, 80);
  expect(view.running(4_000, 80)).toEqual(['… fs/read {"path":"a"} · 3 s · 3 of 9 pages']);
  view.show(completed("1", 12), 5_000, 80);
  const lines = view.show(returned("1"), 5_000, 90).map((piece) => piece.text);
  expect(lines).toEqual([
    '✓ fs/read {"path":"a"} · 12 ms · 1.2 kB · allowed by the rule allow fs/*',
    "  ! It may reach outside.",
  ]);
  expect(view.running(5_000, 80)).toEqual(["… the model (0 s)"]);
});

test("calls are written down in call order, whichever ended first", () => {
  const { lines } = play([
    proposed("1", "first"),
    proposed("2", "second"),
    {
      type: "call_rejected",
      turn,
      callId: "0",
      alias: "nothing",
      error: { code: "call_invalid", message: "no" },
    },
    completed("2", 1),
    completed("1", 2),
    returned("0", "1", "2"),
  ]);
  expect(lines.map((line) => line.slice(0, 22))).toEqual([
    "✗ nothing",
    "  not run: no",
    '✓ fs/read {"path":"fir',
    '✓ fs/read {"path":"sec',
  ]);
});

test("long arguments are folded so that time, size and decision stay on the line", () => {
  const { lines } = play([proposed("1", "x".repeat(500)), allowed("1"), completed("1", 5), returned("1")]);
  expect(lines[0]).toMatch(/^✓ fs\/read \{"path":"x+… · 5 ms · 1\.2 kB · allowed by the rule allow fs\/\*$/);
});

test("what a server or a model says cannot steer the terminal", () => {
  const hostile = "\u001b]52;c;ZXZpbA==\u0007\u202e";
  const { lines, view } = play([
    { type: "thinking_delta", turn, text: hostile },
    { type: "text_delta", turn, text: `${hostile}text` },
    { ...proposed("1", hostile), server: hostile } as RunEvent,
    { type: "call_progress", turn, callId: "1", progress: 1, text: hostile },
    { type: "warning", code: "x", text: hostile },
  ]);
  expect([...lines, ...view.running(0, 80)].join("")).not.toMatch(/[\u001b\u0007\u202e]/);
});

test("thinking is folded to one line once something follows, and kept whole", () => {
  const thought = "I wonder.\n".repeat(30);
  const view = createTurnView(plain, told());
  view.show({ type: "thinking_delta", turn, text: thought }, 0, 80);
  expect(view.running(0, 40)).toEqual([expect.stringMatching(/^∴ /)]);
  const [folded, text] = view.show({ type: "text_delta", turn, text: "Hello there" }, 0, 80);
  expect(folded?.text).toMatch(/^∴ I wonder\. .*… \(300 characters; \/thinking shows it\)$/);
  expect(text).toEqual({ type: "text", text: "Hello" });
  expect(view.thinking()).toBe(thought);
});

test("the states of servers and what is odd about the policy are told once in a chat", () => {
  const failed = { type: "server_status", server: "web", state: "failed", required: false } as const;
  const events: RunEvent[] = [
    { ...failed, error: { code: "server_exited", message: "It is gone." } },
    { type: "warning", code: "policy", text: "A rule that never matches." },
  ];
  const known = told();
  expect(play(events, known).lines).toHaveLength(2);
  expect(play(events, known).lines).toEqual([]);
});

test("a call without an end is written down when the run is over", () => {
  const view = createTurnView(plain, told());
  view.show(proposed("1", "a"), 0, 80);
  const ended = { type: "run_completed", result: {} } as unknown as RunEvent;
  expect(view.show(ended, 0, 80).map((piece) => piece.text)).toEqual([
    '✗ fs/read {"path":"a"}',
    "  not finished",
  ]);
  expect(view.running(0, 80)).toEqual([]);
});

test("many calls at once take few lines", () => {
  const { view } = play(Array.from({ length: 30 }, (_, index) => proposed(`${index}`, "a")));
  expect(view.running(0, 80)).toHaveLength(9);
  expect(view.running(0, 80).at(-1)).toBe("… and 22 more calls");
});
