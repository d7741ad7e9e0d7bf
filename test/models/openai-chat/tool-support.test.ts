import { afterEach, expect, test } from "vitest";
import { createOpenAiChatModel } from "../../../src/models/openai-chat/model.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, startChat } from "./start.ts";

afterEach(closeAll);

const withTools = requestOf([userText("go")]);
const withoutTools = requestOf([userText("go")], { snapshot: snapshotOf() });
const fine = () => ({ content: "fine" });
const pushTo = (asked: SimulatedRequest[]) => (request: SimulatedRequest) => void asked.push(request);

test("a model that cannot use tools is refused before it is asked, in a sentence that names it and what to do", async () => {
  const asked: SimulatedRequest[] = [];
  const options = { turns: fine, capabilities: ["completion"], onRequest: pushTo(asked) };
  const { model } = await startChat("ollama", options);
  for (let time = 0; time < 2; time += 1) {
    await expect(responseOf(model, withTools)).rejects.toMatchObject({
      code: "model_rejected",
      message:
        "Ollama says that the model some-model cannot use tools: choose another one, or ask without servers.",
    });
  }
  expect(asked.map(({ path }) => path)).toEqual(["/api/show", "/api/show"]);
  expect(asked[0]?.body).toEqual({ model: "some-model" });
  await responseOf(model, withoutTools);
});

test("Ollama is asked once what a model can do, and only when there are tools; other servers are not asked", async () => {
  const asked: SimulatedRequest[] = [];
  const { simulator, model } = await startChat("ollama", { turns: fine, onRequest: pushTo(asked) });
  await responseOf(model, withoutTools);
  await responseOf(model, withTools);
  await responseOf(model, withTools);
  const chat = "/v1/chat/completions";
  expect(asked.map(({ path }) => path)).toEqual([chat, "/api/show", chat, chat]);
  expect(simulator.requests).toHaveLength(3);
  const others: SimulatedRequest[] = [];
  const other = await startChat("vllm", { turns: fine, onRequest: pushTo(others) });
  await responseOf(other.model, withTools);
  expect(others.map(({ path }) => path)).toEqual([chat]);
});

/** An Ollama that answers what it is asked about its model in one way. */
function ollama(show: (signal: AbortSignal | null | undefined) => Promise<Response>): Model {
  return createOpenAiChatModel({
    name: "some-model",
    profile: chatProfiles.ollama,
    apiKey: "",
    fetch: async (url, init) => {
      if (String(url).endsWith("/api/show")) return show(init?.signal);
      const text =
        'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
      return new Response(text, { headers: { "content-type": "text/event-stream" } });
    },
    maxRetries: 0,
    retryDeadlineMs: 1_000,
    clock: systemClock,
  });
}

const says =
  (body: string, status = 200) =>
  async () =>
    new Response(body, { status });

test.each([
  ["an older one", says('{"details":{}}')],
  ["no such model", says('{"error":"model not found"}', 404)],
  ["a page", says("<html>")],
  ["no connection", () => Promise.reject(new TypeError("fetch failed"))],
  [
    "no answer in time",
    (signal) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  ],
] satisfies [string, Parameters<typeof ollama>[0]][])(
  "an Ollama that does not say what its model can do is asked all the same: %s",
  async (_, show) => {
    expect((await responseOf(ollama(show), withTools)).message.content).toEqual([
      { type: "text", text: "ok" },
    ]);
  },
);

test("the simulated Ollama refuses tools for a model without them, in its words, and wants a model's name", async () => {
  const { simulator } = await startChat("ollama", { turns: fine, capabilities: ["completion"] });
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) });
    return [response.status, await response.json()];
  };
  const messages = [{ role: "user", content: "hi" }];
  const tools = [
    { type: "function", function: { name: "a", parameters: { type: "object", properties: {} } } },
  ];
  expect(await post("/v1/chat/completions", { model: "gemma", messages, tools })).toMatchObject([
    400,
    { error: { message: "registry.ollama.ai/library/gemma does not support tools" } },
  ]);
  expect(await post("/v1/chat/completions", { model: "gemma", messages })).toMatchObject([200, {}]);
  expect(await post("/api/show", {})).toEqual([400, { error: "model is required" }]);
});
