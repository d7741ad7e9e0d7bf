import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import type { ApprovedCall, CallOutcome } from "../types/outcome.ts";
import { type AttemptLimits, attemptCall } from "./attempt.ts";

/** What becomes of a call of a server that is silent for this long. */
async function silentFor(ms: number, limits: AttemptLimits, unusable = 0): Promise<CallOutcome> {
  const clock = createTestClock();
  const { signal } = new AbortController();
  const context = { runId: "r", turn: 1, signal, emit() {}, current: () => null };
  const approved = { call: { id: "c", tool: { route: { server: "s", tool: "t" } }, arguments: {} } };
  const attempt = attemptCall(
    approved as unknown as ApprovedCall,
    1,
    limits,
    (call) =>
      new Promise((_, reject) => {
        const error = new HostError("call_aborted", "aborted", { data: { executed: "maybe", unusable } });
        call.signal.addEventListener("abort", () => reject(error));
      }),
    clock,
    context,
  );
  await clock.advance(ms);
  return attempt;
}

test.each([
  [0, /^Timed out: no sign of life for 0\.1 s\. It is not known whether it took effect\.$/],
  [1, /took effect\. Meanwhile the server sent 1 message that this host cannot use\.$/],
  [3, /took effect\. Meanwhile the server sent 3 messages that this host cannot use\.$/],
])("a call that timed out while %i messages of no use came says so", async (unusable, words) => {
  const outcome = await silentFor(100, { idleMs: 100, hardMs: 1_000, leftMs: 1_000 }, unusable);
  expect(outcome).toMatchObject({ code: "call_timeout", message: expect.stringMatching(words) });
});

test("a call is told to have passed the limit that was set, whatever an earlier attempt or the log took of it", async () => {
  const outcome = await silentFor(46, { idleMs: 1_000, hardMs: 50, leftMs: 46 });
  expect(outcome).toMatchObject({ code: "call_timeout", message: expect.stringMatching(/ after 0\.05 s\./) });
});
