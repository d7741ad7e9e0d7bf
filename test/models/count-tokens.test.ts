import { afterAll, expect, test } from "vitest";
import type { Message } from "../../src/types/message.ts";
import type { Model, ModelRequest, ModelResponse } from "../../src/types/model.ts";
import { makeSnapshot, makeTool } from "../support/tools.ts";
import * as anthropic from "./anthropic/start.ts";
import * as gemini from "./gemini/start.ts";
import * as responses from "./openai-responses/start.ts";

afterAll(() => Promise.all([anthropic.closeAll(), gemini.closeAll(), responses.closeAll()]));

const messages: Message[] = [
  { role: "user", content: [{ type: "text", text: "What does the file say? 猫" }] },
  {
    role: "assistant",
    content: [{ type: "tool_call", id: "call_1", name: "fs__read", input: '{"path":"a"}' }],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        callId: "call_1",
        content: [{ type: "text", text: "word ".repeat(500) }],
        isError: false,
      },
    ],
  },
];
const request: ModelRequest = {
  system: "Be brief.",
  snapshot: makeSnapshot([makeTool({ server: "fs", name: "read", description: "Reads a file." })]),
  messages,
  maxTokens: 1_000,
  signal: new AbortController().signal,
};

async function answerOf(model: Model): Promise<ModelResponse> {
  for await (const event of model.stream(request)) if (event.type === "response") return event.response;
  throw new Error("There was no answer.");
}

const apis = [
  ["anthropic", () => anthropic.startModel({}), "/v1/messages/count_tokens"],
  ["gemini", () => gemini.startModel({}), "/v1beta/models/gemini-3-pro:countTokens"],
  ["openai-responses", () => responses.startModel({}), "/v1/responses/input_tokens"],
] as const;

test.each(apis)(
  "%s counts a request to the token that it bills, without an answer",
  async (_api, start, path) => {
    const { model, simulator } = await start();
    const counted = await model.countTokens?.(request);
    expect(simulator.requests.map((one) => [one.path.split("?")[0], one.status])).toEqual([[path, 200]]);
    const { usage } = await answerOf(model);
    expect(counted).toBe(usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens);
    expect(counted).toBeGreaterThan(600);
  },
);

/** Bodies that the counters refuse, beside those that they take. */
const bodies = [
  ["anthropic", "max_tokens", { max_tokens: 5 }, "max_tokens: Extra inputs are not permitted"],
  ["gemini", "contents", { stream: true }, 'Unknown name "stream": Cannot find field.'],
  [
    "openai-responses",
    "max_output_tokens",
    { max_output_tokens: 50 },
    "Unknown parameter: 'max_output_tokens'.",
  ],
] as const;

test.each(bodies)(
  "the counter of %s takes nothing that is about an answer",
  async (api, _name, extra, words) => {
    const start = apis.find(([name]) => name === api)?.[1];
    const { model, simulator } = (await start?.()) ?? {};
    await model?.countTokens?.(request);
    const sent = simulator?.requests[0];
    const headers = {
      "content-type": "application/json",
      authorization: "Bearer key-key-key",
      "x-goog-api-key": "key-key-key",
      "anthropic-version": "2023-06-01",
    };
    const post = async (body: object): Promise<string> => {
      const response = await fetch(`${simulator?.url}${sent?.path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return `${response.status} ${await response.text()}`;
    };
    expect(await post({ ...sent?.body })).toMatch(/^200 /);
    const refused = JSON.parse((await post({ ...sent?.body, ...extra })).slice(4)) as {
      error: { message: string };
    };
    expect(refused.error.message).toContain(words);
  },
);

test("a counter that is not there rejects, and no answer is lost for it", async () => {
  const { model, simulator } = await responses.startModel({});
  await simulator.close();
  await expect(model.countTokens?.(request)).rejects.toThrow();
});

test("the window of a model is known by its name, and of a model that nobody knows it is not", () => {
  const window = (model: Model) => model.capabilities.contextTokens;
  const url = "http://127.0.0.1:9";
  const claude = (name: string) => window(anthropic.modelAt(url, { name }));
  expect([claude("claude-opus-5"), claude("claude-sonnet-4-5-20250929"), claude("claude-haiku-4-5")]).toEqual(
    [1_000_000, 200_000, 200_000],
  );
  expect(claude("my-own")).toBeUndefined();
  expect(window(responses.modelAt(url, { name: "gpt-4o-mini" }))).toBe(128_000);
  expect(window(gemini.modelAt(url, { name: "gemini-2.5-flash" }))).toBe(1_048_576);
});
