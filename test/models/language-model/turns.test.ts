import type { LanguageModelV3 } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { fromLanguageModel } from "../../../src/models/language-model/from-language-model.ts";
import type { LanguageModel } from "../../../src/models/language-model/language-model.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import type { ModelResponse } from "../../../src/types/model.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { type FakeAnswer, fakeModel, finish, type Part, reasoning, text, toolCall } from "./fake-model.ts";

const go = requestOf([userText("go")]);
const done: FakeAnswer = { parts: [...text("done"), finish()] };

function resultsFor({ content }: AssistantMessage): Message {
  const results = content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ type: "tool_result" as const, callId: block.id, isError: false, content: [] }]
      : [],
  );
  return { role: "user", content: results.length === 0 ? [{ type: "text", text: "on" }] : results };
}

/** What the second request holds of the turn that answered the first. */
async function replayed(...parts: readonly Part[]): Promise<{ response: ModelResponse; sent: unknown }> {
  const fake = fakeModel([{ parts: [...parts, finish()] }, done]);
  const model = fromLanguageModel(fake);
  const response = await responseOf(model, go);
  const { message } = response;
  await responseOf(model, requestOf([userText("go"), message, resultsFor(message)]));
  const prompt = (fake.calls[1]?.prompt ?? []) as { role: string; content: unknown }[];
  return { response, sent: prompt.find(({ role }) => role === "assistant")?.content };
}

test("the published type of a model fits", () => {
  const given: LanguageModel | null = null as LanguageModelV3 | null;
  expect(given).toBeNull();
});

test("an object that is no such model, or of an older version, is refused with what to do", () => {
  const old = { ...fakeModel([]), specificationVersion: "v2" } as unknown as LanguageModel;
  expect(() => fromLanguageModel(old)).toThrow("this is of version v2. Update the provider's package.");
  for (const wrong of [null, {}, { ...fakeModel([]), doStream: 1 }]) {
    expect(() => fromLanguageModel(wrong as LanguageModel)).toThrow("fromLanguageModel() takes");
  }
});

test("what a provider signs goes back with its part: thinking, redacted thinking, texts and calls", async () => {
  const { response, sent } = await replayed(
    ...reasoning("Three files.", { anthropic: { signature: "c2ln" } }),
    { type: "reasoning-start", id: "x", providerMetadata: { anthropic: { redactedData: "ZGF0YQ==" } } },
    { type: "reasoning-end", id: "x" },
    ...text("I look.", "1", { openai: { itemId: "msg_1" } }),
    ...toolCall("call_1", "files__read", '{"path":"a"}', {
      providerMetadata: { google: { thoughtSignature: "s" } },
    }),
  );
  expect(response.message.content).toEqual([
    { type: "thinking", text: "Three files." },
    { type: "text", text: "I look." },
    { type: "tool_call", id: "call_1", name: "files__read", input: '{"path":"a"}' },
  ]);
  expect(sent).toEqual([
    { type: "reasoning", text: "Three files.", providerOptions: { anthropic: { signature: "c2ln" } } },
    { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "ZGF0YQ==" } } },
    { type: "text", text: "I look.", providerOptions: { openai: { itemId: "msg_1" } } },
    {
      type: "tool-call",
      toolCallId: "call_1",
      toolName: "files__read",
      input: { path: "a" },
      providerOptions: { google: { thoughtSignature: "s" } },
    },
  ]);
});

test("a tool that the provider ran itself is no call, and goes back with its result and what only it understands", async () => {
  const { response, sent } = await replayed(
    ...toolCall("srv_1", "web_search", '{"q":"x"}', { providerExecuted: true }).slice(3),
    { type: "tool-result", toolCallId: "srv_1", toolName: "web_search", result: { found: 1 } },
    { type: "custom", kind: "openai.compaction", providerMetadata: { openai: { itemId: "cmp_1" } } },
    ...text("found"),
  );
  expect(response.message.content).toEqual([{ type: "text", text: "found" }]);
  expect(response.stopReason).toBe("end_turn");
  expect(sent).toEqual([
    {
      type: "tool-call",
      toolCallId: "srv_1",
      toolName: "web_search",
      input: { q: "x" },
      providerExecuted: true,
    },
    {
      type: "tool-result",
      toolCallId: "srv_1",
      toolName: "web_search",
      output: { type: "json", value: { found: 1 } },
    },
    { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp_1" } } },
    { type: "text", text: "found" },
  ]);
});

test("texts whose ids are used again are told apart; deltas without a start, pings and raw parts are met", async () => {
  const { response } = await replayed(
    { type: "ping" },
    { type: "raw", rawValue: {} },
    { type: "text-delta", id: "0", delta: "one" },
    ...text("two", "0"),
    ...text("", "0"),
  );
  expect(response.message.content).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
});

test("a call that is told whole is shown once, and one that was cut is kept with what came of it", async () => {
  const input = '{"path":"a"}';
  const whole = fakeModel([
    {
      parts: [{ type: "tool-call", toolCallId: "c", toolName: "files__read", input }, finish("tool-calls")],
    },
  ]);
  const shown = (await eventsOf(fromLanguageModel(whole), go)).filter(
    ({ type }) => type === "tool_input_delta",
  );
  expect(shown).toEqual([{ type: "tool_input_delta", callId: "c", name: "files__read", json: input }]);
  const cut = fakeModel([{ parts: [...toolCall("c", "files__read", input).slice(0, 3), finish("length")] }]);
  expect(await responseOf(fromLanguageModel(cut), go)).toMatchObject({
    stopReason: "max_tokens",
    message: { content: [{ type: "tool_call", input: '{"path":"a' }] },
  });
});

test("the provider's own reason refines the interface's, and an explanation of a refusal is kept", async () => {
  const explained = { providerMetadata: { anthropic: { stopDetails: { explanation: "Not that." } } } };
  const reasons: readonly (readonly [Part, string, string])[] = [
    [finish("stop", "end_turn"), "end_turn", "end_turn"],
    [finish("stop", "pause_turn"), "pause_turn", "pause_turn"],
    [
      finish("length", "model_context_window_exceeded"),
      "context_window_exceeded",
      "model_context_window_exceeded",
    ],
    [finish("content-filter", "refusal", explained), "refusal", "refusal"],
    [finish("tool-calls"), "end_turn", "tool-calls"],
    [finish("interrupted"), "other", "interrupted"],
    [{ type: "finish" }, "other", "other"],
  ];
  for (const [end, stopReason, rawStopReason] of reasons) {
    const fake = fakeModel([{ parts: [...text("x"), end] }]);
    const response = await responseOf(fromLanguageModel(fake), go);
    expect([response.stopReason, response.rawStopReason]).toEqual([stopReason, rawStopReason]);
    expect(response.refusal).toBe(rawStopReason === "refusal" ? "Not that." : undefined);
  }
});

test("tokens are told apart, also where the provider tells only their sum", async () => {
  const usageOf = async (end: Part) =>
    (await responseOf(fromLanguageModel(fakeModel([{ parts: [...text("x"), end] }])), go)).usage;
  expect(await usageOf(finish())).toEqual({
    requests: 1,
    inputTokens: 60,
    outputTokens: 20,
    cacheReadTokens: 30,
    cacheWriteTokens: 10,
    reasoningTokens: 5,
  });
  const sums = { inputTokens: { total: 9, cacheRead: 4 }, outputTokens: { total: 2 } };
  expect(await usageOf(finish("stop", undefined, { usage: sums }))).toMatchObject({
    inputTokens: 5,
    cacheReadTokens: 4,
    outputTokens: 2,
  });
});

test("tools are lowered for any provider, and options of the provider go with every request", async () => {
  const fake = fakeModel([done]);
  const model = fromLanguageModel(fake, { providerOptions: { openai: { store: false } } });
  const schema = {
    anyOf: [{ type: "object", properties: { a: { $ref: "#/$defs/A" } } }],
    $defs: { A: { type: "string" } },
  };
  await responseOf(model, requestOf([userText("go")], { snapshot: snapshotOf(catalogTool("t", schema)) }));
  expect(fake.calls[0]).toMatchObject({
    providerOptions: { openai: { store: false } },
    maxOutputTokens: 1_000,
    tools: [
      {
        type: "function",
        name: "files__t",
        inputSchema: { type: "object", properties: { a: { type: "string" } } },
      },
    ],
  });
  expect(JSON.stringify(fake.calls[0]?.tools)).not.toMatch(/anyOf|\$ref/);
});

test("images are parts of the version's own form, and half a character never leaves", async () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  for (const [version, held] of [
    ["v3", "AAAA"],
    ["v4", { type: "data", data: "AAAA" }],
  ] as const) {
    const fake = fakeModel([done], version);
    const content = [{ type: "text", text: "a\ud800" } as const, image];
    await responseOf(fromLanguageModel(fake), requestOf([{ role: "user", content }]));
    expect(fake.calls[0]?.prompt[1]).toEqual({
      role: "user",
      content: [
        { type: "text", text: "a\ufffd" },
        { type: "file", mediaType: "image/png", data: held },
      ],
    });
  }
});
