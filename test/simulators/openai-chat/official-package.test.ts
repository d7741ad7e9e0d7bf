import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOpenAiChatSimulator } from "../../../src/testing/openai-chat/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";

let simulator: Simulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startOpenAiChatSimulator({
    fragmentBytes: 5,
    deltaChars: 3,
    turns: (_, index) =>
      index === 0
        ? {
            content: "Ich lese 猫 🙂.",
            tool_calls: [
              { name: "read", arguments: { path: "a" } },
              { name: "read", arguments: { path: "ü" } },
            ],
          }
        : index === 1
          ? { fault: { type: "rate_limited", retryAfter: 1 } }
          : { content: "done" },
  });
  client = new OpenAI({ apiKey: "sk-test", baseURL: `${simulator.url}/v1`, maxRetries: 0 });
});
afterAll(() => simulator.close());

const request = { model: "gpt-4o", messages: [{ role: "user" as const, content: "go" }] };

test("the official package's own stream helper reads a stream with calls and usage", async () => {
  const tool = {
    type: "function" as const,
    function: { name: "read", parameters: { type: "object", properties: {} } },
  };
  const stream = client.chat.completions.stream({
    ...request,
    tools: [tool],
    stream_options: { include_usage: true },
  });
  const deltas: string[] = [];
  stream.on("content", (delta) => deltas.push(delta));
  const { choices, usage } = await stream.finalChatCompletion();
  const [choice] = choices;
  expect(deltas.join("")).toBe("Ich lese 猫 🙂.");
  expect(choice?.message.content).toBe("Ich lese 猫 🙂.");
  expect(choice?.finish_reason).toBe("tool_calls");
  const calls = choice?.message.tool_calls?.map(
    (call) => call.type === "function" && call.function.arguments,
  );
  expect(calls).toEqual(['{"path":"a"}', '{"path":"ü"}']);
  expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
});

test("its errors are the package's errors", async () => {
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({
    status: 429,
    code: "rate_limit_exceeded",
  });
  const invalid = { ...request, messages: [{ role: "tool" as const, tool_call_id: "x", content: "y" }] };
  await expect(client.chat.completions.create(invalid)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
});

test("it reads an answer that is not streamed", async () => {
  const { choices } = await client.chat.completions.create(request);
  expect(choices[0]?.message).toMatchObject({ role: "assistant", content: "done" });
});

test("the key is in no record of a request", () => {
  expect(simulator.requests.length).toBeGreaterThan(2);
  expect(JSON.stringify(simulator.requests)).not.toContain("sk-test");
});
