import { afterEach, expect, test } from "vitest";
import {
  type OpenAiChatSimulatorOptions,
  startOpenAiChatSimulator,
} from "../../../src/testing/openai-chat/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import { body, object, tool } from "./bodies.ts";

const open: Simulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
});

async function start(options: OpenAiChatSimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startOpenAiChatSimulator(options);
  open.push(simulator);
  return simulator;
}

async function post(
  { url }: Simulator,
  sent: object | string,
  headers: Record<string, string> = { authorization: "Bearer sk-test" },
): Promise<{ status: number; text: string; json: Record<string, never> }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text.startsWith("{") ? text : "{}") };
}

test("a key is wanted by the servers on the internet, in either header, and by no other", async () => {
  const hosted = await start();
  expect(await post(hosted, body(), {})).toMatchObject({ status: 401 });
  expect(await post(hosted, body(), { "api-key": "sk-test" })).toMatchObject({ status: 200 });
  expect(await post(await start({ kind: "ollama" }), body(), {})).toMatchObject({ status: 200 });
});

test("another path and a body that is no JSON are refused", async () => {
  const simulator = await start();
  const response = await fetch(`${simulator.url}/v1/completions`, { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
  expect(await post(simulator, "{")).toMatchObject({ status: 400 });
  expect(
    await post(simulator, '{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}'),
  ).toMatchObject({
    status: 400,
  });
});

test("a request that is too long for the model is refused by its tokens", async () => {
  const { status, json } = await post(await start({ contextTokens: 10 }), body());
  expect(status).toBe(400);
  expect(json).toMatchObject({
    error: {
      code: "context_length_exceeded",
      message: expect.stringMatching(
        /^This model's maximum context length is 10 tokens\. However, your messages/,
      ),
    },
  });
});

test("each kind of server has its own form of an error", async () => {
  const invalid = body({ messages: [] });
  const message = expect.stringContaining("empty array");
  expect((await post(await start(), invalid)).json).toMatchObject({ error: { message, param: "messages" } });
  expect((await post(await start({ kind: "llamacpp" }), invalid)).json).toMatchObject({
    error: { code: 400, message },
  });
  expect((await post(await start({ kind: "mistral" }), invalid)).json).toMatchObject({
    object: "error",
    message,
  });
  const extra = body({ stream: true, stream_options: {} });
  expect(await post(await start({ kind: "mistral" }), extra)).toMatchObject({
    status: 422,
    json: { detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"] }] },
  });
});

test("a script that is not used up, or asked too much of, fails", async () => {
  const simulator = await start({ turns: [{ content: "a" }, { content: "b" }] });
  await post(simulator, body());
  expect(() => simulator.assertDone()).toThrow("asked 1 time; its script has 2 steps");
  await post(simulator, body());
  simulator.assertDone();
  expect((await post(simulator, body())).text).toContain("no step is left");
  expect(() => simulator.assertDone()).toThrow("asked 3 times");
});

test("a refused request uses up no step", async () => {
  const simulator = await start({ turns: [{ content: "a" }] });
  expect((await post(simulator, body({ messages: [] }))).status).toBe(400);
  expect((await post(simulator, body())).status).toBe(200);
  simulator.assertDone();
  expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200]);
});

test("usage comes with a stream only where it is asked for, but for Mistral", async () => {
  const simulator = await start();
  expect((await post(simulator, body({ stream: true }))).text).not.toContain("prompt_tokens");
  const asked = await post(simulator, body({ stream: true, stream_options: { include_usage: true } }));
  expect(asked.text).toContain('"choices":[],"usage":{"prompt_tokens"');
  expect(asked.text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect((await post(await start({ kind: "mistral" }), body({ stream: true }))).text).toContain(
    "prompt_tokens",
  );
});

test("a prefix of 1,024 tokens or more is found in the cache, in steps of 128", async () => {
  const simulator = await start();
  const cachedOf = async (content: string): Promise<number> => {
    const { json } = await post(simulator, body({ messages: [{ role: "user", content }] }));
    const { usage } = json as unknown as { usage: { prompt_tokens_details: { cached_tokens: number } } };
    return usage.prompt_tokens_details.cached_tokens;
  };
  expect(await cachedOf("a".repeat(3_000))).toBe(0);
  expect(await cachedOf(`${"a".repeat(3_000)}b`)).toBe(0);
  expect(await cachedOf("c".repeat(6_000))).toBe(0);
  const cached = await cachedOf(`${"c".repeat(6_000)}d`);
  expect(cached).toBeGreaterThanOrEqual(1_408);
  expect((cached - 1_024) % 128).toBe(0);
});

test("without a script a tool that is named is called, and its result is told", async () => {
  const simulator = await start();
  const tools = tool({ name: "files__read", parameters: object({}) }).tools;
  const asking = { role: "user", content: 'Use read with {"path": "a"}.' };
  const { json } = await post(simulator, body({ tools, messages: [asking] }));
  const { choices } = json as unknown as { choices: { message: { tool_calls: { id: string }[] } }[] };
  const message = choices[0]?.message;
  expect(message).toMatchObject({
    tool_calls: [{ function: { name: "files__read", arguments: '{"path":"a"}' } }],
  });
  const result = { role: "tool", tool_call_id: message?.tool_calls[0]?.id, content: "found" };
  const next = await post(simulator, body({ tools, messages: [asking, message, result] }));
  expect(next.text).toContain("The tools answered: found");
  expect((await post(simulator, body())).text).toContain("You said: hi");
});
