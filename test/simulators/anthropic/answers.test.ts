import { Anthropic } from "@anthropic-ai/sdk";
import { afterEach, expect, test } from "vitest";
import {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  startAnthropicSimulator,
} from "../../../src/testing/anthropic/simulator.ts";
import type { SimulatedBlock } from "../../../src/testing/anthropic/turns.ts";

const open: AnthropicSimulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
});

async function start(
  options: AnthropicSimulatorOptions = {},
  headers: Record<string, string> = {},
): Promise<Anthropic> {
  const simulator = await startAnthropicSimulator(options);
  open.push(simulator);
  const { url: baseURL } = simulator;
  return new Anthropic({ apiKey: "sk-test-0123456789", baseURL, maxRetries: 0, defaultHeaders: headers });
}

const hello: Anthropic.MessageCreateParamsNonStreaming = {
  model: "claude-opus-5",
  max_tokens: 100,
  messages: [{ role: "user", content: "hello" }],
};
const text = { type: "text", text: "done" };

/** Asks, sends the answer back with another word of the user, and gives the first answer. */
async function goOn(
  client: Anthropic,
  first: Anthropic.MessageCreateParamsNonStreaming,
  change: (content: Anthropic.ContentBlock[]) => readonly object[] = (content) => content,
): Promise<Anthropic.Message> {
  const message = await client.messages.stream(first).finalMessage();
  const content = change(message.content) as Anthropic.ContentBlockParam[];
  const messages: Anthropic.MessageParam[] = [
    ...first.messages,
    { role: "assistant", content },
    { role: "user", content: "and?" },
  ];
  await client.messages.create({ ...first, messages });
  return message;
}

const thought: readonly SimulatedBlock[] = [
  { type: "thinking", thinking: "Which?" },
  { type: "redacted_thinking" },
  text,
];

test("thinking is signed, comes back through the SDK's stream helper and is taken as it was", async () => {
  const client = await start({ turns: [{ content: thought }, { content: [text] }], deltaChars: 2 });
  const message = await goOn(client, hello);
  expect(message.content.map(({ type }) => type)).toEqual(["thinking", "redacted_thinking", "text"]);
  const [thinking, redacted] = message.content;
  expect(thinking?.type === "thinking" && thinking.thinking).toBe("Which?");
  expect(thinking?.type === "thinking" && thinking.signature.length).toBeGreaterThan(40);
  expect(redacted?.type === "redacted_thinking" && redacted.data.length).toBeGreaterThan(40);
});

test.each([
  [
    "words of it are changed",
    (content: Anthropic.ContentBlock[]) =>
      content.map((block) => (block.type === "thinking" ? { ...block, thinking: "Other" } : block)),
    "cannot be modified",
  ],
  [
    "a block of it is left out",
    (content: Anthropic.ContentBlock[]) => content.filter(({ type }) => type !== "redacted_thinking"),
    "cannot be modified",
  ],
  [
    "it was made up",
    () => [{ type: "thinking", thinking: "Mine", signature: "bWluZQ==" }, text],
    "Invalid `signature` in `thinking` block",
  ],
])("thinking that comes back is refused when %s", async (_, change, words) => {
  const client = await start({ turns: [{ content: thought }, { content: [text] }] });
  await expect(goOn(client, hello, change)).rejects.toThrow(words);
});

test("a turn goes back without any of its thinking: nobody has to keep it", async () => {
  const client = await start({ turns: [{ content: thought }, { content: [text] }] });
  await goOn(client, hello, () => [text]);
});

test("thinking is bound to what was before it, and dropped with a word when the request lets it be", async () => {
  const beta = "thinking-binding-controls-2026-08-01";
  const client = await start(
    { turns: [{ content: thought }, { content: [text] }] },
    { "anthropic-beta": beta },
  );
  const asked = { ...hello, model: "claude-fable-5-1" };
  const { content } = await client.messages.create(asked);
  const messages: Anthropic.MessageParam[] = [
    { role: "user", content: "something else" },
    { role: "assistant", content },
    { role: "user", content: "and?" },
  ];
  await expect(client.messages.create({ ...asked, messages })).rejects.toThrow(
    "bound to a different conversation",
  );
  const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } as never;
  expect(await client.messages.create({ ...asked, messages, thinking })).toMatchObject({
    input_transformations: [
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" },
      { type: "thinking_dropped", path: "messages.1.content.1", reason: "prefix_binding_mismatch" },
    ],
  });
});

test("a request that wants no words of the thinking gets its signature alone", async () => {
  const client = await start({ turns: [{ content: thought }, { content: [text] }] });
  const message = await goOn(client, { ...hello, thinking: { type: "adaptive", display: "omitted" } });
  expect(message.content[0]).toMatchObject({ type: "thinking", thinking: "" });
});

test("tools of the API's own, a pause and blocks that nobody knows pass the SDK's stream helper", async () => {
  const paused: readonly SimulatedBlock[] = [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    { type: "compaction", content: "earlier", signature: "s" },
    { type: "fallback", from: { model: "a" }, to: { model: "b" } },
  ];
  const client = await start({
    turns: [{ content: paused, stop_reason: "pause_turn" }, { content: [text] }],
  });
  const message = await client.messages.stream(hello).finalMessage();
  expect(message.stop_reason).toBe("pause_turn");
  expect(message.content).toEqual(paused);
  const content = message.content as Anthropic.ContentBlockParam[];
  const messages: Anthropic.MessageParam[] = [...hello.messages, { role: "assistant", content }];
  expect((await client.messages.create({ ...hello, messages })).content).toMatchObject([text]);
});

test("a refusal says why", async () => {
  const stop_details = { type: "refusal", category: "bio", explanation: "Not that." };
  const client = await start({ turns: [{ content: [text], stop_reason: "refusal", stop_details }] });
  const message = await client.messages.stream(hello).finalMessage();
  expect(message).toMatchObject({ stop_reason: "refusal", stop_details });
});

test("an answer that fills the context of a newer model is cut, of an older one its request is refused", async () => {
  const client = await start({ contextTokens: 60 });
  const content = "word ".repeat(20);
  const ask = (model: string): Promise<Anthropic.Message> =>
    client.messages.create({ ...hello, model, messages: [{ role: "user", content }] });
  expect((await ask("claude-opus-5")).stop_reason).toBe("model_context_window_exceeded");
  await expect(ask("claude-opus-4-1")).rejects.toThrow("exceed context limit");
});

test("a body of more than 32 MB is too large, as is told with the status for it", async () => {
  const client = await start();
  const content = "x".repeat(33 * 1024 * 1024);
  const ask = client.messages.create({ ...hello, messages: [{ role: "user", content }] });
  await expect(ask).rejects.toMatchObject({ status: 413, type: "request_too_large" });
});

test("a request that names the answer before it learns what the cache missed", async () => {
  const client = await start();
  const tools: Anthropic.Tool[] = [{ name: "t", input_schema: { type: "object" } }];
  const ask = async (previous: string, extra: object): Promise<unknown> => {
    const diagnostics = { previous_message_id: previous };
    return (await client.messages.create({ ...hello, diagnostics, ...extra })).diagnostics;
  };
  const { id, diagnostics } = await client.messages.create(hello);
  expect(diagnostics).toBeNull();
  const reason = (type: string): object => ({ cache_miss_reason: { type } });
  expect(await ask(id, {})).toBeNull();
  expect(await ask("msg_nowhere", {})).toMatchObject(reason("previous_message_not_found"));
  expect(await ask(id, { model: "claude-opus-4-8" })).toMatchObject(reason("model_changed"));
  expect(await ask(id, { tools })).toMatchObject(reason("tools_changed"));
  expect(await ask(id, { system: "be brief" })).toMatchObject(reason("system_changed"));
  const messages = [{ role: "user", content: "goodbye" }];
  expect(await ask(id, { messages })).toMatchObject(reason("messages_changed"));
});

test("an image costs what its size says, and what a script adds to the usage is reported", async () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const usage = { output_tokens_details: { thinking_tokens: 7 } };
  const client = await start({ turns: [{ content: [text], usage }] });
  const source = { type: "base64", media_type: "image/png", data: png } as const;
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: [{ type: "image", source }] }];
  const message = await client.messages.create({ ...hello, messages });
  expect(message.usage.input_tokens).toBeLessThan(30);
  expect(message.usage).toMatchObject(usage);
});
