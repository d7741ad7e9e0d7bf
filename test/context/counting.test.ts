import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { Limits } from "../../src/types/config.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Model } from "../../src/types/model.ts";

/** A run of a model whose API counts every request as `counted` says. */
async function runCounted(
  steps: readonly ScriptedStep[],
  counted: () => Promise<number>,
  limits: Partial<Limits>,
) {
  const scripted = scriptedModel(steps);
  const counts: number[] = [];
  const model: Model = {
    ...scripted,
    countTokens(request) {
      counts.push(request.messages.length);
      return counted();
    },
  };
  let number = 0;
  const server = fakeServer([
    textTool("get", () => {
      number += 1;
      return `${number} ${"word ".repeat(4_000)}`;
    }),
  ]);
  await using host = createHost({
    servers: { s: server.config },
    model,
    state: false,
    audit: false,
    policy: { rules: ["allow */*"] },
    limits,
  });
  const run = host.run("go");
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const made = events.filter(({ type }) => type === "context_compacted").length;
  return { counts, made, result: await run.result, requests: scripted.requests };
}

const get = (inputTokens: number): ScriptedStep => ({ calls: [{ name: "s__get" }], usage: { inputTokens } });

test("the API's counter is asked near the window alone, and believed", async () => {
  const steps = [get(100), get(5_100), get(10_100), { text: "done" }];
  // What came behind the last count has about 5,000 tokens: 12,000 to 18,500 in all are near 15,000.
  const far = await runCounted(steps, async () => 1, { contextTokens: 200_000 });
  expect([far.counts, far.made]).toEqual([[], 0]);
  const fits = await runCounted(steps, async () => 14_000, { contextTokens: 20_000 });
  expect([fits.counts, fits.made]).toEqual([[7], 0]);
  const full = await runCounted(steps, async () => 16_000, { contextTokens: 20_000 });
  expect([full.counts, full.made]).toEqual([[7], 1]);
});

test("a counter that does not answer is asked once, and the estimate decides", async () => {
  const steps = [get(100), get(5_100), get(10_100), get(10_100), get(10_100), { text: "done" }];
  const { counts, result } = await runCounted(steps, () => Promise.reject(new Error("404")), {
    contextTokens: 20_000,
  });
  expect(result.stop).toEqual({ type: "answered" });
  expect(counts.length).toBe(1);
});

test("near the run's limit of tokens the count decides whether a request is sent", async () => {
  const steps = [get(5_000), { text: "done" }];
  const limits = { tokens: 16_000 };
  const sent = await runCounted(steps, async () => 10_900, limits);
  expect(sent.result.stop).toEqual({ type: "answered" });
  expect(sent.counts.length).toBe(1);
  const held = await runCounted(steps, async () => 11_100, limits);
  expect(held.result.stop).toMatchObject({ type: "budget", budget: "tokens" });
  expect(held.requests.length).toBe(1);
});
