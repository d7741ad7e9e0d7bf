import { Anthropic } from "@anthropic-ai/sdk";
import { afterEach, expect, test } from "vitest";
import {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  startAnthropicSimulator,
} from "./simulator.ts";

const open: AnthropicSimulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
});

async function start(options: AnthropicSimulatorOptions = {}): Promise<{
  simulator: AnthropicSimulator;
  client: Anthropic;
}> {
  const simulator = await startAnthropicSimulator(options);
  open.push(simulator);
  const client = new Anthropic({ apiKey: "sk-test-0123456789", baseURL: simulator.url, maxRetries: 0 });
  return { simulator, client };
}

const hello: Anthropic.MessageCreateParamsNonStreaming = {
  model: "claude-opus-5",
  max_tokens: 100,
  messages: [{ role: "user", content: "hello" }],
};

test("the official SDK's stream helper reads a streamed turn whole", async () => {
  const { simulator, client } = await start({
    turns: [
      {
        content: [
          { type: "thinking", thinking: "Which file? Maybe น้ำ 🙂.", signature: "c2ln" },
          { type: "text", text: "I look into it. น้ำ 🙂" },
          { type: "tool_use", id: "toolu_1", name: "files__read", input: { path: "น้ำ.txt" } },
        ],
      },
    ],
    fragmentBytes: 5,
    deltaChars: 3,
  });
  const message = await client.messages.stream(hello).finalMessage();
  expect(message.stop_reason).toBe("tool_use");
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Which file? Maybe น้ำ 🙂.", signature: "c2ln" },
    { type: "text", text: "I look into it. น้ำ 🙂" },
    { type: "tool_use", id: "toolu_1", name: "files__read", input: { path: "น้ำ.txt" } },
  ]);
  expect(message.usage.output_tokens).toBeGreaterThan(1);
  simulator.assertDone();
});

test("tokens are counted of what could be sent, without a step of the script", async () => {
  const { simulator, client } = await start({ turns: [{ content: [{ type: "text", text: "Hi" }] }] });
  const { max_tokens: _, ...question } = hello;
  const { input_tokens: counted } = await client.messages.countTokens({
    ...question,
    thinking: { type: "adaptive" },
  });
  expect(counted).toBeGreaterThan(0);
  expect((await client.messages.create(hello)).usage.input_tokens).toBe(counted);
  simulator.assertDone();
  await expect(client.messages.countTokens(hello as never)).rejects.toThrow(
    "max_tokens: Extra inputs are not permitted",
  );
  await expect(client.messages.countTokens({ ...question, messages: [] })).rejects.toThrow("messages");
  expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200, 400, 400]);
});

test("the official SDK reads an answer that is not streamed", async () => {
  const { client } = await start({ turns: [{ content: [{ type: "tool_use", name: "t" }] }] });
  const message = await client.messages.create(hello);
  expect(message).toMatchObject({
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "toolu_sim_0001", name: "t", input: {} }],
  });
});

test("the journal holds the requests and no key", async () => {
  const { simulator, client } = await start();
  await client.messages.create(hello);
  expect(simulator.requests).toHaveLength(1);
  expect(simulator.requests[0]?.body).toEqual(hello);
  expect(JSON.stringify(simulator.requests)).not.toContain("0123456789");
});

test("a request too many is refused, and steps left over are an error", async () => {
  const { simulator, client } = await start({ turns: [{ content: [{ type: "text", text: "one" }] }] });
  expect(() => simulator.assertDone()).toThrow("asked 0 times");
  await client.messages.create(hello);
  simulator.assertDone();
  await expect(client.messages.create(hello)).rejects.toThrow("no step is left");
  expect(() => simulator.assertDone()).toThrow("asked 2 times; its script has 1 step.");
});

test("a request that breaks a rule is refused and uses up no step", async () => {
  const { simulator, client } = await start({ turns: [{ content: [{ type: "text", text: "one" }] }] });
  const empty = client.messages.create({
    ...hello,
    messages: [{ role: "user", content: [{ type: "text", text: "" }] }],
  });
  await expect(empty).rejects.toMatchObject({ status: 400, type: "invalid_request_error" });
  await client.messages.create(hello);
  simulator.assertDone();
});

test("a key, a version and the right path are required", async () => {
  const { simulator } = await start();
  const post = async (path: string, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${simulator.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(hello),
    });
    return response.status;
  };
  expect(await post("/v1/messages", { "anthropic-version": "2023-06-01" })).toBe(401);
  expect(await post("/v1/messages", { "x-api-key": "k" })).toBe(400);
  expect(await post("/v1/other", { "x-api-key": "k", "anthropic-version": "2023-06-01" })).toBe(404);
  expect(await post("/v1/messages", { authorization: "Bearer k", "anthropic-version": "2023-06-01" })).toBe(
    200,
  );
});

test("half a surrogate pair in the body is refused", async () => {
  const { client } = await start();
  const ask = (content: string): Promise<unknown> =>
    client.messages.create({ ...hello, messages: [{ role: "user", content }] });
  await expect(ask("broken \ud83d")).rejects.toThrow("no low surrogate in string");
  await expect(ask("whole \ud83d\ude42, and the text \\ud83d")).resolves.toBeDefined();
});

test("faults are answered as the API answers them", async () => {
  const answer = { content: [{ type: "text", text: "never seen whole" }] };
  const { client } = await start({
    turns: [
      { fault: { type: "rate_limited", retryAfter: 7 } },
      { fault: { type: "spend_limit" } },
      { fault: { type: "overloaded" } },
      { fault: { type: "unauthorized" } },
      { fault: { type: "html", status: 413 } },
      { fault: { type: "no_answer" } },
      { fault: { type: "stream_error", afterEvents: 3, turn: answer } },
      { fault: { type: "cut", afterEvents: 3, turn: answer } },
    ],
  });
  const ask = (): Promise<unknown> => client.messages.stream(hello).finalMessage();
  const limited = await ask().catch((thrown: unknown) => thrown);
  expect(limited).toMatchObject({ status: 429 });
  expect((limited as { headers: Headers }).headers.get("retry-after")).toBe("7");
  await expect(ask()).rejects.toMatchObject({ status: 429, errorCode: "enforced_spend_limit_reached" });
  await expect(ask()).rejects.toMatchObject({ status: 529, type: "overloaded_error" });
  await expect(ask()).rejects.toMatchObject({ status: 401 });
  await expect(ask()).rejects.toMatchObject({ status: 413 });
  await expect(ask()).rejects.toThrow("Connection error.");
  await expect(ask()).rejects.toMatchObject({ type: "overloaded_error" });
  await expect(ask()).rejects.toThrow();
});

test("the prompt cache is written at breakpoints and read by prefix", async () => {
  const { client } = await start();
  const long = "word ".repeat(2000);
  const ask = async (...texts: string[]): Promise<Anthropic.Usage> => {
    const content = texts.map((text, index) => ({
      type: "text" as const,
      text,
      ...(index === texts.length - 1 ? { cache_control: { type: "ephemeral" as const } } : {}),
    }));
    return (await client.messages.create({ ...hello, messages: [{ role: "user", content }] })).usage;
  };
  const first = await ask(long);
  expect(first).toMatchObject({ cache_read_input_tokens: 0, input_tokens: 0 });
  expect(first.cache_creation_input_tokens).toBeGreaterThan(2000);
  const second = await ask(long, "and more");
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
  expect(second.cache_creation_input_tokens).toBeLessThan(20);
  const tooFar = await ask(long, ...Array.from({ length: 20 }, (_, index) => `block ${index}`));
  expect(tooFar.cache_read_input_tokens).toBe(0);
  const short = await ask("short");
  expect(short).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
});

test("without a script, a message that names a tool calls it and its result is repeated", async () => {
  const { client } = await start();
  const tools: Anthropic.Tool[] = [{ name: "files__read", input_schema: { type: "object" } }];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: 'please read {"path":"a"}' }];
  const called = await client.messages.create({ ...hello, tools, messages });
  expect(called.content).toMatchObject([{ type: "tool_use", name: "files__read", input: { path: "a" } }]);
  messages.push({ role: "assistant", content: called.content });
  messages.push({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "toolu_sim_0001", content: "42" }],
  });
  const done = await client.messages.create({ ...hello, tools, messages });
  expect(done.content).toMatchObject([{ type: "text", text: "The tools answered: 42" }]);
});

test("a prompt over the context is refused", async () => {
  const { client } = await start({ contextTokens: 100 });
  const ask = client.messages.create({
    ...hello,
    messages: [{ role: "user", content: "word ".repeat(100) }],
  });
  await expect(ask).rejects.toThrow(/prompt is too long: \d+ tokens > 100 maximum/);
});
