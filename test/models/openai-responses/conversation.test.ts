import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type {
  SimulatedResponseItem,
  SimulatedResponseStep,
} from "../../../src/testing/openai-responses/turns.ts";
import type { Message } from "../../../src/types/message.ts";
import { catalogTool, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, says, startModel } from "./start.ts";

afterEach(closeAll);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Results of every kind for the calls `call_1` to `call_3`. */
const results: Message = {
  role: "user",
  content: [
    { type: "tool_result", callId: "call_1", isError: false, content: [{ type: "text", text: "one" }] },
    {
      type: "tool_result",
      callId: "call_2",
      isError: true,
      content: [{ type: "text", text: "No such file." }],
    },
    {
      type: "tool_result",
      callId: "call_3",
      isError: false,
      content: [
        { type: "text", text: "a picture" },
        { type: "image", mediaType: "image/png", data: png },
      ],
    },
    { type: "text", text: "Go on." },
  ],
};

test("a conversation with tools, pictures and errors is sent as the golden requests say", async () => {
  const call = (id: number, name: string, input: object): SimulatedResponseItem => ({
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    arguments: { ...input },
  });
  const { simulator, model } = await startModel({
    turns: [
      {
        output: [
          { type: "reasoning", id: "rs_1", summary: ["Three files."], encrypted_content: "gAAAAAsecret" },
          { ...says("I read them."), id: "msg_1" },
          call(1, "files__read", { path: "a" }),
          call(2, "files__read", { path: "b" }),
          call(3, "files__look", {}),
        ],
      },
      { output: [{ ...says("Done."), id: "msg_2" }] },
      { output: [says("You are welcome.")] },
    ],
    fragmentBytes: 7,
    deltaChars: 5,
  });
  const snapshot = snapshotOf(
    catalogTool("look", { type: "object" }),
    catalogTool("read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] }),
  );
  const messages: Message[] = [userText("Read a, b and c.")];
  for (const next of [results, userText("Thanks."), null]) {
    const { message } = await responseOf(model, requestOf(messages, { snapshot }));
    messages.push(message);
    if (next !== null) messages.push(next);
  }
  simulator.assertDone();
  const bodies = simulator.requests.map(({ text }) => JSON.stringify(JSON.parse(text), null, 2));
  for (const [index, body] of bodies.entries()) {
    const golden = join(import.meta.dirname, `../../golden/openai-responses-turn-${index + 1}.json`);
    await expect(`${body}\n`).toMatchFileSnapshot(golden);
  }
});

test("what comes from the cache is told apart, also when a turn brings many calls", async () => {
  const calls = (turn: number): SimulatedResponseStep => ({
    output: Array.from({ length: 15 }, (_, index) => ({
      type: "function_call" as const,
      name: "files__read",
      arguments: { path: `${turn}/${index}` },
    })),
  });
  const { model } = await startModel({ turns: [calls(1), calls(2), { output: [says("Done.")] }] });
  const messages: Message[] = [userText("word ".repeat(2_000))];
  const reads: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { message, usage } = await responseOf(model, requestOf(messages));
    reads.push(usage.cacheReadTokens);
    messages.push(message, {
      role: "user",
      content: message.content.flatMap((block) =>
        block.type === "tool_call"
          ? [{ type: "tool_result" as const, callId: block.id, isError: false, content: [] }]
          : [],
      ),
    });
  }
  expect(reads[0]).toBe(0);
  expect(reads[1]).toBeGreaterThan(1_000);
  expect(reads[2]).toBeGreaterThan(reads[1] ?? 0);
});

test("usage is told apart: what was read from the cache, written to it, and thought", async () => {
  const { model } = await startModel({
    turns: [
      {
        output: [says("ok")],
        usage: {
          input_tokens: 3_000,
          input_tokens_details: { cached_tokens: 2_000, cache_write_tokens: 600 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 30 },
        },
      },
    ],
  });
  expect((await responseOf(model, requestOf([userText("go")]))).usage).toEqual({
    requests: 1,
    inputTokens: 400,
    outputTokens: 50,
    cacheReadTokens: 2_000,
    cacheWriteTokens: 600,
    reasoningTokens: 30,
  });
});

test("every request of a conversation has the same key of the cache, and another conversation another one", async () => {
  const { simulator, model } = await startModel({ turns: () => ({ output: [says("ok")] }) });
  const first = userText("one");
  await responseOf(model, requestOf([first]));
  await responseOf(model, requestOf([first, userText("more")], { snapshot: snapshotOf() }));
  await responseOf(model, requestOf([userText("two")]));
  const [one, again, two] = simulator.requests.map(({ body }) => body.prompt_cache_key);
  expect(again).toBe(one);
  expect(two).not.toBe(one);
});

test("nothing is stored, encrypted reasoning is asked of models that reason, and the least room is given", async () => {
  for (const [name, include] of [
    ["gpt-4o", undefined],
    ["gpt-4.1-mini", undefined],
    ["chatgpt-4o-latest", undefined],
    ["gpt-5-chat-latest", undefined],
    ["gpt-5.6-terra", ["reasoning.encrypted_content"]],
    ["o4-mini", ["reasoning.encrypted_content"]],
    ["gpt-7", ["reasoning.encrypted_content"]],
  ] as const) {
    const { simulator, model } = await startModel({ turns: [{ output: [says("ok")] }] }, { name });
    await responseOf(model, requestOf([userText("go")], { maxTokens: 1 }));
    expect(simulator.requests[0]?.body).toMatchObject({ store: false, max_output_tokens: 16 });
    expect(simulator.requests[0]?.body.include).toEqual(include);
  }
});
