import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import type { ApprovedCall } from "../types/outcome.ts";
import { attemptCall } from "./attempt.ts";

test.each([
  [0, /^Timed out: no sign of life for 0\.1 s\. It is not known whether it took effect\.$/],
  [1, /took effect\. Meanwhile the server sent 1 message that this host cannot use\.$/],
  [3, /took effect\. Meanwhile the server sent 3 messages that this host cannot use\.$/],
])("a call that timed out while %i messages of no use came says so", async (unusable, words) => {
  const clock = createTestClock();
  const { signal } = new AbortController();
  const context = { runId: "r", turn: 1, signal, emit() {}, current: () => null };
  const approved = { call: { id: "c", tool: { route: { server: "s", tool: "t" } }, arguments: {} } };
  const attempt = attemptCall(
    approved as unknown as ApprovedCall,
    1,
    { idleMs: 100, hardMs: 1_000 },
    (call) =>
      new Promise((_, reject) => {
        const error = new HostError("call_aborted", "aborted", { data: { executed: "maybe", unusable } });
        call.signal.addEventListener("abort", () => reject(error));
      }),
    clock,
    context,
  );
  await clock.advance(100);
  expect(await attempt).toMatchObject({ code: "call_timeout", message: expect.stringMatching(words) });
});
