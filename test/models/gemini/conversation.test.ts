import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SimulatedGeminiStep } from "../../../src/testing/gemini/turns.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, modelAt, type StartSettings, startModel } from "./start.ts";

afterEach(closeAll);

const start = (
  turns: readonly SimulatedGeminiStep[],
  settings: StartSettings = {},
): ReturnType<typeof startModel> => startModel({ turns, fragmentBytes: 7, deltaChars: 5 }, settings);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Results of every kind for the calls of a turn, in another order than theirs. */
function resultsFor({ content }: AssistantMessage): Message {
  const [one = "", two = "", three = ""] = content.flatMap((block) =>
    block.type === "tool_call" ? [block.id] : [],
  );
  return {
    role: "user",
    content: [
      {
        type: "tool_result",
        callId: three,
        isError: false,
        content: [
          { type: "text", text: "a picture" },
          { type: "image", mediaType: "image/png", data: png },
          { type: "image", mediaType: "image/gif", data: "R0lGODlhAQABAAAAACw=" },
        ],
      },
      { type: "tool_result", callId: one, isError: false, content: [{ type: "text", text: "one" }] },
      { type: "tool_result", callId: two, isError: true, content: [{ type: "text", text: "No such file." }] },
      { type: "text", text: "Go on." },
    ],
  };
}

const snapshot = snapshotOf(
  catalogTool("look", { type: "object" }),
  catalogTool("read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] }),
  catalogTool(
    "set",
    { type: "object", properties: { map: { additionalProperties: { type: "string" } } } },
    "9set",
  ),
);

const turns: readonly SimulatedGeminiStep[] = [
  {
    parts: [
      { text: "Three files.", thought: true },
      { text: "I read them." },
      { functionCall: { name: "files__read", args: { path: "a" } } },
      { functionCall: { name: "files__read", args: '{"path": "b", "n": 1.50}' } },
      { functionCall: { name: "files__look" } },
    ],
  },
  { parts: [{ text: "Done." }] },
  { parts: [{ text: "You are welcome." }] },
];

async function talk(settings: StartSettings): Promise<string[]> {
  const { simulator, model } = await start(turns, settings);
  const messages: Message[] = [userText("Read a, b and c.")];
  for (const turn of [1, 2, 3]) {
    const { message } = await responseOf(model, requestOf(messages, { snapshot }));
    messages.push(message);
    if (turn === 1) messages.push(resultsFor(message));
    if (turn === 2) messages.push(userText("Thanks."));
  }
  simulator.assertDone();
  return simulator.requests.map(({ text }) => text);
}

test("a conversation with tools, pictures and errors is sent as the golden requests say", async () => {
  for (const [index, text] of (await talk({})).entries()) {
    const golden = join(import.meta.dirname, `../../golden/gemini-turn-${index + 1}.json`);
    await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot(golden);
  }
});

test("what was sent before is a prefix of what is sent later", async () => {
  const [first = "", second = "", third = ""] = await talk({});
  for (const [earlier, later] of [
    [first, second],
    [second, third],
  ] as const) {
    expect(later.startsWith(earlier.slice(0, -2))).toBe(true);
  }
});

test("before Gemini 3 pictures follow the responses, calls go without signatures, and only thinking models think", async () => {
  const [first = "", second = ""] = await talk({ name: "gemini-2.5-pro" });
  expect(first).toContain('"thinkingConfig"');
  expect(second).not.toContain("thoughtSignature");
  const parts = JSON.parse(second).contents[2].parts;
  expect(parts.map((part: object) => Object.keys(part)[0])).toEqual([
    ...["functionResponse", "functionResponse", "functionResponse"],
    ...["text", "inlineData", "text"],
  ]);
  const [plain = ""] = await talk({ name: "gemini-2.0-flash" });
  expect(plain).not.toContain("thinkingConfig");
});

test("thoughts, words and calls are told as they come, and everything of the turn is kept as it came", async () => {
  const { model } = await start(turns.slice(0, 1));
  const events = await eventsOf(model, requestOf([userText("go")], { snapshot }));
  const joined = (type: string): string =>
    events.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");
  expect(joined("thinking_delta")).toBe("Three files.");
  expect(joined("text_delta")).toBe("I read them.");
  const last = events.at(-1);
  const message = last?.type === "response" ? last.response.message : null;
  expect(message?.content.map(({ type }) => type)).toEqual([
    ...["thinking", "text"],
    ...["tool_call", "tool_call", "tool_call"],
  ]);
  expect(message?.content[3]).toMatchObject({ input: '{"path": "b", "n": 1.50}' });
  expect(message?.native?.json).toContain('{"path": "b", "n": 1.50}');
  expect(message?.native?.json).toContain('{"text":"Three files.","thought":true}');
});

test("a conversation that another model began goes on: its calls stand with the documented signature", async () => {
  const foreign: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", text: "hm" },
      { type: "tool_call", id: "toolu_1", name: "files__read", input: '{"path":"a"}' },
      { type: "tool_call", id: "call|2", name: "9set", input: "broken" },
    ],
    native: { api: "anthropic", model: "claude-opus-5", json: "[]" },
  };
  const { simulator, model } = await start([{ parts: [{ text: "ok" }] }]);
  await responseOf(model, requestOf([userText("go"), foreign, resultsFor(foreign)], { snapshot }));
  const { contents } = JSON.parse(simulator.requests[0]?.text ?? "");
  expect(contents[1].parts).toEqual([
    {
      functionCall: { id: "toolu_1", name: "files__read", args: { path: "a" } },
      thoughtSignature: "skip_thought_signature_validator",
    },
    { functionCall: { id: expect.stringMatching(/^call_[0-9a-f]{32}$/), name: "_9set", args: {} } },
  ]);
  expect(contents[2].parts[1].functionResponse.name).toBe("_9set");
});

test("a turn that one Gemini model wrote goes to another one without its signature", async () => {
  const { simulator, model } = await start([
    { parts: [{ functionCall: { name: "files__read", args: { path: "a" } } }] },
    { parts: [{ text: "ok" }] },
  ]);
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const other = modelAt(simulator.url, { name: "gemini-3-flash" });
  await responseOf(other, requestOf([userText("go"), message, resultsFor(message)]));
  const { thoughtSignature } = JSON.parse(message.native?.json ?? "")[0].parts[0];
  expect(simulator.requests[1]?.text).not.toContain(thoughtSignature);
});

test("turns that the API would not take stand between turns of the user, and every call has its response", async () => {
  const called = (id: string): AssistantMessage => ({
    role: "assistant",
    content: [{ type: "tool_call", id, name: "files__read", input: "{}" }],
  });
  const orphan: Message = {
    role: "user",
    content: [{ type: "tool_result", callId: "gone", isError: false, content: [] }],
  };
  const { simulator, model } = await start([{ parts: [{ text: "ok" }] }]);
  const messages = [called("a"), called("b"), orphan, userText("and now?")];
  expect((await responseOf(model, requestOf(messages))).stopReason).toBe("end_turn");
  expect(simulator.requests[0]?.status).toBe(200);
});

test("a name that Gemini would not take is mapped, and comes back as the alias", async () => {
  const { simulator, model } = await start([
    { parts: [{ functionCall: { name: "_9set", args: { map: {} } } }] },
  ]);
  const { message } = await responseOf(model, requestOf([userText("go")], { snapshot }));
  expect(simulator.requests[0]?.text).toContain('"name":"_9set"');
  expect(message.content).toMatchObject([{ type: "tool_call", name: "9set", input: '{"map":{}}' }]);
});
