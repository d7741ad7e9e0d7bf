import { afterEach, expect, test } from "vitest";
import type { ModelEvent } from "../../../src/types/model.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "./requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

const long = userText("word ".repeat(2000));
const answer = { content: [{ type: "text", text: "ok" }] };
const warnings = (events: readonly ModelEvent[]): ModelEvent[] =>
  events.filter(({ type }) => type === "warning");

test("why the prompt cache missed is told once for each cause of a conversation", async () => {
  const { model } = await startModel({ turns: () => answer });
  const { message } = await responseOf(model, requestOf([long]));
  const messages = [long, message, userText("and?")];
  expect(warnings(await eventsOf(model, requestOf(messages)))).toEqual([]);
  const snapshot = snapshotOf(catalogTool("read", {}), catalogTool("write", {}));
  expect(warnings(await eventsOf(model, requestOf(messages, { snapshot })))).toEqual([
    {
      type: "warning",
      code: "cache_miss",
      text: expect.stringMatching(
        /^About \d+ tokens of the conversation were not read from the prompt cache: the list of tools changed\.$/,
      ),
    },
  ]);
  expect(warnings(await eventsOf(model, requestOf(messages)))).toEqual([]);
  const other = await eventsOf(model, requestOf(messages, { system: "Be long." }));
  expect(warnings(other)).toMatchObject([{ text: expect.stringContaining("the system prompt changed") }]);
});

test("a short prompt that changed is nobody's concern, nor is another conversation", async () => {
  const { model, simulator } = await startModel({ turns: () => answer });
  const short = userText("go");
  const { message } = await responseOf(model, requestOf([short]));
  const changed = requestOf([short, message, userText("and?")], { system: "Be long." });
  expect(warnings(await eventsOf(model, changed))).toEqual([]);
  await responseOf(model, requestOf([userText("another")]));
  expect(simulator.requests.map(({ body }) => body.diagnostics)).toEqual([
    undefined,
    { previous_message_id: "msg_sim_1" },
    undefined,
  ]);
});

test("tokens of the thinking and of a compaction are counted", async () => {
  const iteration = {
    input_tokens: 5,
    output_tokens: 3,
    cache_read_input_tokens: 1,
    cache_creation_input_tokens: 0,
  };
  const usage = {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens_details: { thinking_tokens: 12 },
    iterations: [
      { type: "compaction", ...iteration },
      { type: "message", ...iteration, input_tokens: 10, output_tokens: 20 },
    ],
  };
  const { model } = await startModel({ turns: [{ ...answer, usage }, answer] });
  expect((await responseOf(model, requestOf([userText("go")]))).usage).toEqual({
    requests: 1,
    inputTokens: 15,
    outputTokens: 23,
    cacheReadTokens: 2,
    cacheWriteTokens: 0,
    reasoningTokens: 12,
  });
  expect((await responseOf(model, requestOf([userText("go")]))).usage).not.toHaveProperty("reasoningTokens");
});
