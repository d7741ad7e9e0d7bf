import { expect, test } from "vitest";
import { costText } from "../../src/cli/show/cost.ts";
import { createHost } from "../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { HostOptions } from "../../src/types/config.ts";
import type { RunEvent } from "../../src/types/events.ts";

const usage = { requests: 1, inputTokens: 1_000_000, outputTokens: 0 };
const call = { calls: [{ name: "s__t" }], usage };
const prices = { "scripted/scripted": { input: 2, output: 10 } };

async function run(options: Partial<HostOptions>, turns = 3) {
  const model = scriptedModel([...Array.from({ length: turns - 1 }, () => call), { text: "done", usage }]);
  await using host = createHost({
    servers: { s: fakeServer([textTool("t", () => "hi")]).config },
    model,
    state: false,
    audit: false,
    policy: { rules: ["allow */*"] },
    ...options,
  });
  const events: RunEvent[] = [];
  for await (const event of host.run("go")) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "run_completed") throw new Error("the run did not end");
  const costs = events.flatMap((event) => (event.type === "message_completed" ? [event.cost] : []));
  return { result: end.result, costs, asked: model.requests.length };
}

test("a run says what it costs while it goes on, and at its end", async () => {
  const { result, costs } = await run({ prices });
  expect(costs.map((cost) => cost?.usd)).toEqual([2, 4, 6]);
  expect(result.cost).toEqual({ usd: 6, unpriced: 0 });
});

test("requests whose price is not known are said to be unknown", async () => {
  const { result } = await run({});
  expect(result.stop).toEqual({ type: "answered" });
  expect(result.cost).toEqual({ usd: 0, unpriced: 3 });
});

test("a cost limit stops before the turn that comes after it was reached, with every call answered", async () => {
  const { result, asked } = await run({ prices, limits: { cost: 4 } });
  expect(result.stop).toEqual({ type: "budget", budget: "cost", limit: 4 });
  expect(asked).toBe(2);
  expect(result.messages.at(-1)?.content[0]?.type).toBe("tool_result");
});

test("a cost limit that cannot be kept ends the run before the model is asked, and says what to do", async () => {
  const { result, asked } = await run({ limits: { cost: 4 } });
  expect(result.stop).toMatchObject({
    type: "failed",
    error: { code: "config_invalid", message: expect.stringContaining("give its price (`prices`)") },
  });
  expect(asked).toBe(0);
});

test("a fallback of unknown price cannot keep a cost limit either; an offline one costs nothing", async () => {
  const fallback = { ...scriptedModel([]), name: "other" };
  const unknown = await run({ prices, limits: { cost: 4 }, fallbackModels: [fallback] });
  expect(unknown.result.stop).toMatchObject({
    type: "failed",
    error: { code: "config_invalid", message: expect.stringContaining("scripted/other costs is not known") },
  });
  expect(unknown.asked).toBe(0);
  const refusing = scriptedModel([{ text: "", stopReason: "refusal", usage }]);
  const free = await run({ model: refusing, prices, limits: { cost: 4 }, fallbackModels: ["offline"] });
  expect(free.result).toMatchObject({ stop: { type: "answered" }, cost: { usd: 2, unpriced: 0 } });
});

test("the offline model costs nothing, so that a cost limit is no hindrance", async () => {
  const { result } = await run({ model: "offline", limits: { cost: 1 } });
  expect(result.stop.type).toBe("answered");
  expect(result.cost).toEqual({ usd: 0, unpriced: 0 });
});

test("a price that is no amount is told when the host is made", () => {
  const wrong = { "x/y": { input: -1, output: 0 } };
  expect(() => createHost({ servers: {}, prices: wrong, state: false })).toThrow('The price of "x/y"');
});

test.each([
  [{ usd: 1.234, unpriced: 0 }, "$1.23"],
  [{ usd: 0.01234, unpriced: 0 }, "$0.0123"],
  [{ usd: 0.00004, unpriced: 0 }, "$0.000040"],
  [{ usd: 0, unpriced: 0 }, ""],
  [{ usd: 0, unpriced: 1 }, "1 request of unknown cost"],
  [{ usd: 2, unpriced: 3 }, "$2.00 and 3 requests of unknown cost"],
])("%j is shown as %j", (cost, text) => {
  expect(costText(cost)).toBe(text);
});
