import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOpenAiResponsesSimulator } from "../../../src/testing/openai-responses/simulator.ts";
import type { SimulatedResponseStep } from "../../../src/testing/openai-responses/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";

let simulator: Simulator;
let client: OpenAI;

const turns: readonly SimulatedResponseStep[] = [
  {
    output: [
      { type: "reasoning", summary: ["Erst 猫,", "dann 🙂."] },
      { type: "message", text: "Ich lese 猫 🙂.", phase: "commentary" },
      { type: "function_call", name: "read", arguments: { path: "a" } },
      { type: "function_call", name: "read", arguments: { path: "ü" } },
    ],
  },
  { output: [{ type: "message", text: "done" }] },
  { output: [{ type: "message", refusal: "Not that." }] },
  { output: [{ type: "message", text: "half" }], incomplete: "max_output_tokens" },
  { fault: { type: "rate_limited", retryAfter: 1 } },
  { output: [{ type: "message", text: "whole" }] },
];

beforeAll(async () => {
  simulator = await startOpenAiResponsesSimulator({ fragmentBytes: 5, deltaChars: 3, turns });
  client = new OpenAI({ apiKey: "sk-test", baseURL: `${simulator.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  simulator.assertDone();
  await simulator.close();
});

const tools: OpenAI.Responses.Tool[] = [
  { type: "function", name: "read", parameters: { type: "object", properties: {} }, strict: false },
];
const request = {
  model: "gpt-5.6",
  store: false,
  include: ["reasoning.encrypted_content" as const],
  tools,
};

test("the official package's own stream helper reads a stream, and what it read is taken back", async () => {
  const question = { role: "user" as const, content: "go" };
  const stream = client.responses.stream({ ...request, input: [question] });
  const order: string[] = [];
  stream.on("event", ({ type }) => {
    if (order.at(-1) !== type) order.push(type);
  });
  const first = await stream.finalResponse();
  expect(order.slice(0, 9)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.done",
    "response.reasoning_summary_part.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
  ]);
  expect(order.at(-1)).toBe("response.completed");
  expect(first.output_text).toBe("Ich lese 猫 🙂.");
  const calls = first.output.filter((item) => item.type === "function_call");
  expect(calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"ü"}']);
  expect(first.usage?.total_tokens).toBe(
    (first.usage?.input_tokens ?? 0) + (first.usage?.output_tokens ?? 0),
  );
  const outputs = calls.map(({ call_id }) => ({
    type: "function_call_output" as const,
    call_id,
    output: "ok",
  }));
  // The helper adds what it parsed to each item: only what the API sent goes back.
  const items = first.output.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name !== "parsed_arguments")),
  ) as unknown as OpenAI.Responses.ResponseInputItem[];
  for (const item of items as unknown as { content?: { parsed?: unknown }[] }[]) {
    for (const part of item.content ?? []) delete part.parsed;
  }
  const second = await client.responses.create({ ...request, input: [question, ...items, ...outputs] });
  expect(second.output_text).toBe("done");
  const kept = [question, ...items.slice(1), ...outputs];
  await expect(client.responses.create({ ...request, input: kept })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^400 Item 'msg_\w+' of type 'message' was provided without its required 'reasoning' item: 'rs_\w+'\.$/,
    ),
  });
});

test("a refusal and a cut answer are told as such", async () => {
  const refused = await client.responses.stream({ ...request, input: "go" }).finalResponse();
  expect(refused.output[0]).toMatchObject({ content: [{ type: "refusal", refusal: "Not that." }] });
  const cut = await client.responses.stream({ ...request, input: "go" }).finalResponse();
  expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
});

test("its errors are the package's errors", async () => {
  await expect(client.responses.create({ ...request, input: "go" })).rejects.toMatchObject({
    status: 429,
    code: "rate_limit_exceeded",
  });
  await expect(client.responses.create({ ...request, input: [] })).rejects.toBeInstanceOf(
    OpenAI.BadRequestError,
  );
});

test("deltas are padded unless the request says otherwise, and the key is in no record", async () => {
  const options = { include_obfuscation: false };
  const plain = client.responses.stream({ ...request, input: "go", stream_options: options });
  const paddings: unknown[] = [];
  plain.on("event", (event) => {
    if (event.type === "response.output_text.delta") paddings.push("obfuscation" in event);
  });
  await plain.finalResponse();
  expect(paddings).toEqual([false, false]);
  expect(simulator.requests.length).toBeGreaterThan(5);
  expect(JSON.stringify(simulator.requests)).not.toContain("sk-test");
});
