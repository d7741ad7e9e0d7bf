import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { fakeServer, scriptedModel, textTool } from "../testing/index.ts";

test("the time of a run ends it in the middle of a call, and its transcript stays valid", async () => {
  const slow = fakeServer([textTool("wait", (_args, { signal }) => untilAborted(signal))]);
  await using host = createHost({
    servers: { slow: slow.config },
    model: scriptedModel([{ calls: [{ name: "slow__wait" }] }]),
    policy: { rules: ["allow slow/wait"] },
    limits: { runMs: 400 },
    state: false,
    audit: false,
  });
  await host.tools();
  const result = await host.run("go").result;
  expect(result.stop).toEqual({ type: "budget", budget: "time", limit: 400 });
  expect(slow.calls).toHaveLength(1);
  await expect.poll(() => slow.cancelled).toEqual(["wait"]);
  expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("an interruption before the limit is one", async () => {
  const abort = new AbortController();
  const slow = fakeServer([
    textTool("wait", (_args, { signal }) => {
      abort.abort();
      return untilAborted(signal);
    }),
  ]);
  await using host = createHost({
    servers: { slow: slow.config },
    model: scriptedModel([{ calls: [{ name: "slow__wait" }] }]),
    policy: { rules: ["allow slow/wait"] },
    limits: { runMs: 60_000 },
    state: false,
    audit: false,
  });
  expect((await host.run("go", { signal: abort.signal }).result).stop).toEqual({ type: "aborted" });
});

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"), { once: true }));
}
