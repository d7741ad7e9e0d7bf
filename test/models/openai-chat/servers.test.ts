import { afterEach, expect, test } from "vitest";
import { createOpenAiChatModel } from "../../../src/models/openai-chat/model.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import type { SimulatedChatTurn } from "../../../src/testing/openai-chat/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, startChat } from "./start.ts";

afterEach(closeAll);

const go = requestOf([userText("go")]);

async function answered(turn: SimulatedChatTurn): Promise<{ message: AssistantMessage; stopReason: string }> {
  const { model } = await startChat("vllm", { turns: [turn] });
  return responseOf(model, go);
}

const calls = ({ content }: AssistantMessage): unknown[] =>
  content.flatMap((block) => (block.type === "tool_call" ? [[block.name, block.input]] : []));

/** The messages of the second request. */
function sentMessages({ requests }: Simulator): { role: string }[] {
  return (requests[1]?.body.messages ?? []) as { role: string }[];
}

const fragment = (fields: object, id?: string) => ({
  tool_calls: [{ type: "function", ...(id === undefined ? {} : { id }), ...fields }],
});

test("calls decide, whatever the finish reason says", async () => {
  const tool_calls = [{ name: "files__read", arguments: {} }];
  expect((await answered({ tool_calls, finish_reason: "stop" })).stopReason).toBe("tool_use");
  expect((await answered({ content: "x", finish_reason: "tool_calls" })).stopReason).toBe("end_turn");
  expect((await answered({ tool_calls, finish_reason: "length" })).stopReason).toBe("max_tokens");
  expect((await answered({ content: "x", finish_reason: "something" })).stopReason).toBe("other");
});

test("a refusal is one, by its field or by the filter", async () => {
  const { model } = await startChat("openai-chat", {
    turns: [{ refusal: "I cannot help with that." }, { content: "half", finish_reason: "content_filter" }],
  });
  expect(await responseOf(model, go)).toMatchObject({
    stopReason: "refusal",
    refusal: "I cannot help with that.",
  });
  expect(await responseOf(model, go)).toMatchObject({
    stopReason: "refusal",
    rawStopReason: "content_filter",
  });
});

test("calls that all have the same index, or none, are told apart by their ids", async () => {
  for (const index of [{ index: 0 }, {}]) {
    const { message } = await answered({
      deltas: [
        fragment({ ...index, function: { name: "a", arguments: '{"x"' } }, "one"),
        fragment({ ...index, function: { arguments: ":1}" } }),
        fragment({ ...index, function: { name: "b", arguments: "{}" } }, "two"),
      ],
    });
    expect(calls(message)).toEqual([
      ["a", '{"x":1}'],
      ["b", "{}"],
    ]);
  }
});

test("another name under the same index or the same id is another call", async () => {
  for (const id of [undefined, "one"]) {
    const { message } = await answered({
      deltas: [
        fragment({ index: 0, function: { name: "a", arguments: '{"x"' } }, id),
        fragment({ index: 0, function: { name: "a", arguments: ":1}" } }, id),
        fragment({ index: 0, function: { name: "b", arguments: '{"y"' } }, id),
        fragment({ index: 0, function: { arguments: ":2}" } }),
      ],
    });
    expect(calls(message)).toEqual([
      ["a", '{"x":1}'],
      ["b", '{"y":2}'],
    ]);
    const ids = message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
    expect(new Set(ids).size).toBe(2);
  }
});

test("whole calls without index and id are calls of their own", async () => {
  const { message } = await answered({
    deltas: [
      fragment({ function: { name: "a", arguments: { x: 1 } } }),
      fragment({ function: { name: "a", arguments: { x: 2 } } }),
    ],
  });
  expect(calls(message)).toEqual([
    ["a", '{"x":1}'],
    ["a", '{"x":2}'],
  ]);
});

test("fragments of interleaved calls find their call by its index, and a repeated name is no new call", async () => {
  const { message } = await answered({
    deltas: [
      fragment({ index: 0, function: { name: "a", arguments: "{" } }, "one"),
      fragment({ index: 1, function: { name: "b", arguments: "{" } }, "two"),
      fragment({ index: 0, function: { name: "a", arguments: "}" } }, "one"),
      fragment({ index: 1, function: { name: "b", arguments: "}" } }),
    ],
  });
  expect(calls(message)).toEqual([
    ["a", "{}"],
    ["b", "{}"],
  ]);
});

test("an answer without its last line is whole once it has a finish reason", async () => {
  expect((await answered({ content: "fine", done: false })).message.content).toEqual([
    { type: "text", text: "fine" },
  ]);
});

test("thinking is shown under every name it has, and text in parts is text", async () => {
  const { message } = await answered({
    deltas: [
      { reasoning: "one " },
      { reasoning_content: "two " },
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "three" }] },
          { type: "text", text: "so" },
        ],
      },
    ],
  });
  expect(message.content).toEqual([
    { type: "thinking", text: "one two three" },
    { type: "text", text: "so" },
  ]);
});

test("OpenRouter gets the details of its reasoning back, joined as they were streamed", async () => {
  const detail = (fields: object) => ({
    reasoning_details: [{ type: "reasoning.text", index: 0, ...fields }],
  });
  const { simulator, model } = await startChat("openrouter", {
    turns: [
      {
        deltas: [
          detail({ text: "Let " }),
          detail({ text: "me.", signature: "sig" }),
          { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "AA" }] },
          { content: "done" },
        ],
      },
      { content: "fine" },
    ],
  });
  const { message } = await responseOf(model, go);
  const messages: Message[] = [userText("go"), message, userText("more")];
  await responseOf(model, requestOf(messages));
  expect(sentMessages(simulator)[2]).toEqual({
    role: "assistant",
    content: "done",
    reasoning_details: [
      { type: "reasoning.text", index: 0, text: "Let me.", signature: "sig" },
      { type: "reasoning.encrypted", index: 1, data: "AA" },
    ],
  });
});

test("a person's message behind results has an assistant's between them where the order wants it", async () => {
  const { simulator, model } = await startChat("mistral", {
    turns: [{ tool_calls: [{ name: "files__read" }] }, { content: "fine" }],
  });
  const { message } = await responseOf(model, go);
  const [call] = message.content;
  const callId = call?.type === "tool_call" ? call.id : "";
  const result: Message = {
    role: "user",
    content: [{ type: "tool_result", callId, isError: false, content: [] }],
  };
  await responseOf(model, requestOf([userText("go"), message, result, userText("and?")]));
  const roles = sentMessages(simulator).map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
});

test("a server of one's own is asked without a key when there is none", async () => {
  const { simulator, model } = await startChat("ollama", { turns: [{ content: "hi" }] }, "");
  await responseOf(model, go);
  expect(simulator.requests[0]?.headers.authorization).toBeUndefined();
});

test.each([
  [404, 'model "qwen3" not found, try pulling it first', "model_unknown", "try pulling it first"],
  [
    400,
    "registry.ollama.ai/library/gemma:latest does not support tools",
    "model_rejected",
    "cannot use tools",
  ],
  [400, '"auto" tool choice requires --enable-auto-tool-choice', "model_rejected", "Start vLLM with"],
  [500, "tools param requires --jinja flag", "model_rejected", "Start llama-server with this option"],
  [404, "No endpoints found that support tool use.", "model_rejected", "cannot use tools"],
])("status %i with %j is %s", async (status, message, code, words) => {
  const { model } = await startChat("ollama", {
    turns: [{ fault: { type: "refused", status, kind: "invalid_request_error", message } }],
  });
  await expect(eventsOf(model, go)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
});

test("a tool that the server refuses is named, and the conversation goes on without it", async () => {
  const message = "Invalid schema for function 'files__read': odd";
  const { simulator, model } = await startChat("ollama", {
    turns: [
      { fault: { type: "refused", status: 400, kind: "invalid_request_error", message } },
      { content: "fine" },
    ],
  });
  const [failed, warned] = await eventsOf(model, go);
  expect(failed).toMatchObject({ reason: expect.stringContaining('That tool is "read" of the server') });
  expect(warned).toMatchObject({ type: "warning", code: "tool_quarantined" });
  expect(JSON.stringify(simulator.requests[1]?.body)).not.toContain("files__read");
});

test("tools over the API's number are left out from the end on, each with its reason", async () => {
  const snapshot = snapshotOf(...Array.from({ length: 300 }, (_, index) => catalogTool(`op_${index}`, {})));
  const { simulator, model } = await startChat("openai-chat", { turns: [{ content: "fine" }] });
  await responseOf(model, requestOf([userText("go")], { snapshot }));
  expect(simulator.requests[0]?.body.tools).toHaveLength(128);
  const leftOut = model.leftOut?.(snapshot) ?? [];
  expect(leftOut.map(({ tool }) => tool)).toEqual(
    Array.from({ length: 172 }, (_, index) => `op_${index + 128}`),
  );
  expect(leftOut[0]?.reason).toContain("OpenAI takes at most 128 tools");
});

test("tools that are too many for one grammar are left out by their bytes", () => {
  const model = createOpenAiChatModel({
    name: "m",
    profile: chatProfiles.llamacpp,
    apiKey: "",
    fetch,
    maxRetries: 0,
    retryDeadlineMs: 0,
    clock: systemClock,
  });
  const tool = (name: string, bytes: number) => ({
    alias: name,
    route: { server: "s", tool: name },
    definition: { name, description: "x".repeat(bytes), inputSchema: {}, annotations: {} },
    definitionHash: "",
    configHash: "",
    trusted: false,
    listed: true,
  });
  const tools = [tool("a", 50_000), tool("b", 50_000), tool("c", 10)];
  const snapshot = { version: 1, tools, byAlias: new Map(), quarantined: [] };
  expect(model.leftOut?.(snapshot)).toEqual([
    { server: "s", tool: "b", reason: expect.stringContaining("96000 bytes of tools") },
  ]);
});
