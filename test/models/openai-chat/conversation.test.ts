import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ChatApiName } from "../../../src/models/openai-chat/profile.ts";
import type { Message } from "../../../src/types/message.ts";
import { catalogTool, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, startChat } from "./start.ts";

afterEach(closeAll);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Results of every kind for three calls. */
function results(ids: readonly string[]): Message {
  const [first = "", second = "", third = ""] = ids;
  return {
    role: "user",
    content: [
      { type: "tool_result", callId: first, isError: false, content: [{ type: "text", text: "one" }] },
      {
        type: "tool_result",
        callId: second,
        isError: true,
        content: [{ type: "text", text: "No such file." }],
      },
      {
        type: "tool_result",
        callId: third,
        isError: false,
        content: [
          { type: "text", text: "a picture" },
          { type: "image", mediaType: "image/png", data: png },
        ],
      },
      { type: "text", text: "Go on." },
    ],
  };
}

const snapshot = snapshotOf(
  catalogTool("look", { type: "object" }),
  catalogTool("read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] }),
);

/** The requests of a conversation with tools, pictures and errors. */
async function requestsOf(api: ChatApiName): Promise<string[]> {
  const { simulator, model } = await startChat(api, {
    fragmentBytes: 7,
    deltaChars: 5,
    turns: [
      {
        reasoning_content: "Three files.",
        content: "I read them.",
        tool_calls: [
          { name: "files__read", arguments: { path: "a" } },
          { name: "files__read", arguments: { path: "b" } },
          { name: "files__look" },
        ],
      },
      { content: "Done." },
      { content: "You are welcome." },
    ],
  });
  const messages: Message[] = [userText("Read a, b and c.")];
  for (const turn of [1, 2, 3]) {
    const { message } = await responseOf(model, requestOf(messages, { snapshot }));
    const ids = message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
    messages.push(message);
    if (turn === 1) messages.push(results(ids));
    if (turn === 2) messages.push(userText("Thanks."));
  }
  simulator.assertDone();
  return simulator.requests.map(({ text }) => text);
}

test("a conversation with tools, pictures and errors is sent as the golden requests say", async () => {
  for (const [index, text] of (await requestsOf("openai-chat")).entries()) {
    const golden = join(import.meta.dirname, `../../golden/openai-chat-turn-${index + 1}.json`);
    await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot(golden);
  }
});

test.each(["mistral", "deepseek", "llamacpp"] as const)(
  "%s gets the same conversation by its own profile",
  async (api) => {
    const last = (await requestsOf(api)).at(-1) ?? "{}";
    const golden = join(import.meta.dirname, `../../golden/openai-chat-${api}.json`);
    await expect(`${JSON.stringify(JSON.parse(last), null, 2)}\n`).toMatchFileSnapshot(golden);
  },
);

test("each request begins with the bytes of the one before, and the cache finds them", async () => {
  const { simulator, model } = await startChat("openai-chat", { turns: () => ({ content: "fine" }) });
  const messages: Message[] = [userText("x".repeat(8_000))];
  const cached: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { message, usage } = await responseOf(model, requestOf(messages, { snapshot }));
    cached.push(usage.cacheReadTokens);
    expect(usage.inputTokens).toBeGreaterThan(0);
    messages.push(message, userText("y".repeat(2_000)));
  }
  const [first = "", second = "", third = ""] = simulator.requests.map(({ text }) => text);
  expect(second.startsWith(first.slice(0, -2))).toBe(true);
  expect(third.startsWith(second.slice(0, -2))).toBe(true);
  expect(cached[0]).toBe(0);
  expect(cached[1]).toBeGreaterThan(1_900);
  expect(cached[2]).toBeGreaterThan(2_300);
  const keys = simulator.requests.map(({ body }) => body.prompt_cache_key);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});
