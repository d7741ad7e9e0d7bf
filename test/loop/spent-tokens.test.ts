import { afterEach, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import type { SimulatedStep, SimulatedTurn } from "../../src/testing/anthropic/turns.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import type { Model } from "../../src/types/model.ts";
import { closeAll, startModel } from "../models/anthropic/start.ts";

afterEach(closeAll);

const turn: SimulatedTurn = { content: [{ type: "text", text: "An answer, long enough for some deltas." }] };

/** The model, with answers that say whose they are, as those of an API do. */
function named(name: string, { stream, ...model }: Model): Model {
  return {
    ...model,
    name,
    async *stream(request) {
      for await (const event of stream(request)) {
        if (event.type !== "response") yield event;
        else {
          const message = { ...event.response.message, native: { api: model.api, model: name, json: "[]" } };
          yield { type: "response", response: { ...event.response, message } };
        }
      }
    },
  };
}

test("a run whose model never gets to its end counts the tokens of every attempt", async () => {
  const broken: SimulatedStep = { fault: { type: "stream_error", afterEvents: 4, turn } };
  const { model } = await startModel({ turns: [broken, broken] }, { maxRetries: 1 });
  await using host = createHost({ servers: {}, model, state: false, audit: false });
  const { stop, usage } = await host.run("go").result;
  expect(stop.type).toBe("failed");
  expect(usage.requests).toBe(2);
  expect(usage.inputTokens).toBeGreaterThan(0);
});

test("requests that were refused cost nothing, and none of unknown price is told", async () => {
  const { model } = await startModel({ turns: [{ fault: { type: "overloaded" } }] });
  await using host = createHost({ servers: {}, model, state: false, audit: false });
  const { usage, cost } = await host.run("go").result;
  expect(usage.requests).toBe(0);
  expect(cost).toEqual({ usd: 0, unpriced: 0 });
});

test("each attempt has the price of its own prompt: one that failed makes no long prompt short, and no short one long", async () => {
  const cost = async (turns: readonly SimulatedStep[], overTokens: number) => {
    const { model } = await startModel({ turns }, { maxRetries: 1 });
    const long = { overTokens, input: 10, output: 10 };
    const prices = { [model.name]: { input: 1, output: 1, long } };
    await using host = createHost({ servers: {}, model, prices, state: false, audit: false });
    const { usage, cost: paid } = await host.run("go").result;
    const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    const tokens = prompt + usage.outputTokens;
    return { prompt, times: ((paid?.usd ?? 0) * 1_000_000) / tokens };
  };
  const { prompt } = await cost([turn], 0);
  const overloaded: SimulatedStep = { fault: { type: "overloaded" } };
  const broken: SimulatedStep = { fault: { type: "stream_error", afterEvents: 4, turn } };
  expect((await cost([overloaded, turn], prompt - 1)).times).toBeCloseTo(10);
  expect((await cost([broken, turn], prompt + 1)).times).toBeCloseTo(1);
  expect((await cost([broken, turn], prompt - 1)).times).toBeCloseTo(10);
});

test("what a model took to refuse is paid at its price, not at that of the model that answers instead", async () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  const dear = named("dear", scriptedModel([{ text: "Here is", stopReason: "refusal", usage }]));
  const cheap = named("cheap", scriptedModel([{ text: "done", usage }]));
  await using host = createHost({
    servers: {},
    model: dear,
    fallbackModels: [cheap],
    prices: { dear: { input: 10, output: 10 }, cheap: { input: 1, output: 1 } },
    state: false,
    audit: false,
  });
  const result = await host.run("go").result;
  expect(result.text).toBe("done");
  expect(result.usage).toMatchObject({ requests: 2, inputTokens: 2_000_000 });
  expect(result.cost).toEqual({ usd: 11, unpriced: 0 });
});

test("a run that is aborted in the middle of an answer counts what the API had told of it, and of the attempt before", async () => {
  const broken: SimulatedStep = { fault: { type: "stream_error", afterEvents: 4, turn } };
  const { model, simulator } = await startModel({ turns: [broken, turn] }, { maxRetries: 1 });
  await using host = createHost({ servers: {}, model, state: false, audit: false });
  const abort = new AbortController();
  const run = host.run("go", { signal: abort.signal });
  let revoked = false;
  for await (const { type } of run) {
    revoked ||= type === "turn_revoked";
    if (revoked && type === "text_delta") abort.abort();
  }
  const { stop, usage } = await run.result;
  expect(stop.type).toBe("aborted");
  expect(simulator.requests.length).toBe(2);
  expect(usage.requests).toBe(2);
  expect(usage.inputTokens).toBeGreaterThan(0);
});
