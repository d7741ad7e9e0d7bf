import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { catalogTool, requestOf, responseOf, snapshotOf, userText } from "./requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

function readCase(id: string): { turn: SimulatedTurn; turns: SimulatedTurn[]; variants: SimulatedTurn[] } {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../cases/${id}.json`), "utf8"));
}

function resultsFor(message: AssistantMessage): Message {
  const content = message.content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ type: "tool_result" as const, callId: block.id, isError: false, content: [] }]
      : [],
  );
  return { role: "user", content: content.length === 0 ? [{ type: "text", text: "go on" }] : content };
}

const done: SimulatedTurn = { content: [{ type: "text", text: "done" }] };

/** What the second request holds of the turn that answered the first. */
async function replayed(turn: SimulatedTurn): Promise<{ message: AssistantMessage; sent: unknown }> {
  const { simulator, model } = await startModel({ turns: [turn, done], deltaChars: 2 });
  const first = await responseOf(model, requestOf([userText("go")]));
  const messages = [userText("go"), first.message, resultsFor(first.message)];
  await responseOf(model, requestOf(messages));
  simulator.assertDone();
  const sent = ((simulator.requests[1]?.body.messages ?? []) as { role: string; content: unknown }[])[1];
  return { message: first.message, sent: sent?.role === "assistant" ? sent.content : null };
}

test("thinking, redacted thinking and blocks nobody knows are sent back as they came (LP05)", async () => {
  const { turn } = readCase("LP05");
  const { message, sent } = await replayed(turn);
  expect(JSON.stringify(sent)).toBe(JSON.stringify(turn.content));
  expect(message.content.map(({ type }) => type)).toEqual([
    "thinking",
    "text",
    "tool_call",
    "thinking",
    "tool_call",
  ]);
});

test("a paused turn that was not resumed before the user spoke again goes back without its open call", async () => {
  const paused: SimulatedTurn = {
    stop_reason: "pause_turn",
    content: [
      { type: "thinking", thinking: "I search.", signature: "c2ln" },
      { type: "text", text: "Searching." },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    ],
  };
  const { simulator, model } = await startModel({ turns: [paused, done, done] });
  const first = await responseOf(model, requestOf([userText("go")]));
  const messages = [userText("go"), first.message, userText("never mind")];
  const second = await responseOf(model, requestOf(messages));
  await responseOf(model, requestOf([...messages, second.message, userText("thanks")]));
  simulator.assertDone();
  for (const request of simulator.requests.slice(1)) {
    expect((request.body.messages as { content: unknown }[])[1]?.content).toEqual([
      { type: "text", text: "Searching." },
    ]);
  }
});

test("a turn that paused twice before the user spoke again goes back without either call: the second part had the first one's result", async () => {
  const call = (id: string) => ({
    type: "server_tool_use",
    id,
    name: "web_search",
    input: { query: "x" },
  });
  const resultOfFirst = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
  const paused = (...content: object[]) => ({ stop_reason: "pause_turn", content }) as SimulatedTurn;
  const turns = [
    paused({ type: "text", text: "Searching." }, call("srvtoolu_1")),
    paused(resultOfFirst, call("srvtoolu_2")),
    done,
  ];
  const { simulator, model } = await startModel({ turns });
  const first = await responseOf(model, requestOf([userText("go")]));
  const second = await responseOf(model, requestOf([userText("go"), first.message]));
  await responseOf(model, requestOf([userText("go"), first.message, second.message, userText("stop")]));
  simulator.assertDone();
  expect(simulator.requests[2]?.body.messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ type: "text", text: "Searching." }] },
    { role: "user" },
  ]);
});

test("a paused turn is resumed by sending it back unchanged (LP06)", async () => {
  const { turns } = readCase("LP06");
  const { simulator, model } = await startModel({ turns });
  const paused = await responseOf(model, requestOf([userText("go")]));
  expect(paused.stopReason).toBe("pause_turn");
  const finished = await responseOf(model, requestOf([userText("go"), paused.message]));
  expect(finished.message.content).toEqual([{ type: "text", text: "done" }]);
  expect(simulator.requests[1]?.body.messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: turns[0]?.content },
  ]);
});

test("stop reasons are named, and those nobody knows keep their own word (LP06)", async () => {
  const { variants } = readCase("LP06");
  const reasons = [
    ...variants,
    { ...done, stop_reason: "max_tokens" },
    {
      ...done,
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "bio", explanation: "Not that." },
    },
  ];
  const { model } = await startModel({ turns: reasons });
  const found = [];
  for (const _ of reasons) {
    const { stopReason, rawStopReason, refusal } = await responseOf(model, requestOf([userText("go")]));
    found.push([stopReason, rawStopReason, refusal]);
  }
  expect(found).toEqual([
    ["refusal", "refusal", undefined],
    ["context_window_exceeded", "model_context_window_exceeded", undefined],
    ["other", "something_new", undefined],
    ["max_tokens", "max_tokens", undefined],
    ["refusal", "refusal", "Not that."],
  ]);
});

test("an empty turn, or one of an empty text, is never sent (LP09)", async () => {
  const { turns, variants } = readCase("LP09");
  const empties = [turns[1], ...variants].filter((turn) => turn !== undefined);
  expect(empties).toHaveLength(2);
  for (const empty of empties) {
    const { message, sent } = await replayed(empty);
    expect(message.content).toEqual([]);
    expect(message.native?.json).toBe("[]");
    expect(sent).toBeNull();
  }
});

test("arguments that are no JSON stay visible, and go back as an empty object", async () => {
  for (const raw of ['{"path": "/tmp/a", "content": "hello wor', "[1]", '"text"', "null"]) {
    const { message, sent } = await replayed({
      content: [{ type: "tool_use", id: "toolu_1", name: "files__read", partial_json: raw }],
    });
    expect(message.content).toMatchObject([{ type: "tool_call", input: raw }]);
    expect(sent).toMatchObject([{ type: "tool_use", input: {} }]);
  }
});

test("arguments keep their exact text: duplicate keys and large numbers are not smoothed over", async () => {
  const raw = '{"n": 12345678901234567890, "a": 1, "a": 2, "t": "\\u00e9"}';
  const { message } = await replayed({
    content: [{ type: "tool_use", id: "toolu_1", name: "files__read", partial_json: raw }],
  });
  expect(message.content).toMatchObject([{ input: raw }]);
  expect(message.native?.json).toContain(`"input":${raw}`);
});

test("no arguments at all are an empty object", async () => {
  const { message } = await replayed({
    content: [{ type: "tool_use", id: "toolu_1", name: "t", partial_json: "" }],
  });
  expect(message.content).toMatchObject([{ input: "{}" }]);
});

test("ids that a model uses twice are told apart, in one turn and across turns", async () => {
  const call = { type: "tool_use", id: "call_0", name: "files__read", input: {} };
  const odd = { ...call, id: "call|x:1", name: "no such tool!" };
  const { simulator, model } = await startModel({
    turns: [{ content: [call, call, odd] }, { content: [call] }, done],
  });
  const messages: Message[] = [userText("go")];
  for (let turn = 0; turn < 3; turn += 1) {
    const { message } = await responseOf(model, requestOf(messages));
    messages.push(message, resultsFor(message));
  }
  simulator.assertDone();
  const calls = messages.flatMap(({ role, content }) =>
    role === "assistant" ? content.filter((block) => block.type === "tool_call") : [],
  );
  expect(calls.map(({ id }) => id)).toEqual([
    "call_0",
    "call_0_2",
    expect.stringMatching(/^call_[0-9a-f]{32}$/),
    "call_0_3",
  ]);
  expect(calls[2]?.name).toBe("no such tool!");
});

test("a turn of another model is told again without its thinking", async () => {
  const { simulator, model } = await startModel({ turns: [done] });
  const foreign: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", text: "secret" },
      { type: "text", text: "" },
      { type: "text", text: "I read." },
      { type: "tool_call", id: "call_x|fc_y", name: "files__read", input: '{"path":"a"}' },
      { type: "tool_call", id: "call_z", name: "files__read", input: '{"path":' },
    ],
    native: { api: "openai", model: "gpt", json: '[{"type":"function_call"}]' },
  };
  await responseOf(model, requestOf([userText("go"), foreign, resultsFor(foreign)]));
  const [, assistant, results] = (simulator.requests[0]?.body.messages ?? []) as {
    content: Record<string, unknown>[];
  }[];
  expect(assistant?.content).toMatchObject([
    { type: "text", text: "I read." },
    { type: "tool_use", name: "files__read", input: { path: "a" } },
    { type: "tool_use", id: "call_z", input: {} },
  ]);
  expect(results?.content[0]?.tool_use_id).toBe(assistant?.content[1]?.id);
});

test("renamed property keys come back under their own names, and the model keeps seeing its own", async () => {
  const { tools } = JSON.parse(readFileSync(join(import.meta.dirname, "../../cases/SC09.json"), "utf8")) as {
    tools: { inputSchema: object }[];
  };
  const snapshot = snapshotOf(catalogTool("list_calls", tools[0]?.inputSchema as never));
  const sentNames: string[] = [];
  const { model, simulator } = await startModel({
    turns: (body) => {
      const [tool] = body.tools as { input_schema: { properties: object } }[];
      sentNames.splice(0, 9, ...Object.keys(tool?.input_schema.properties ?? {}));
      const [, start] = sentNames.filter((name) => name.startsWith("StartTime_"));
      const types = sentNames.find((name) => name.startsWith("types_"));
      const raw = `{ "${start}": "2026", "StartTime_": "x", "${types}": [1.0, {"${start}": "\\"${start}\\":"}] }`;
      return {
        content: [
          { type: "tool_use", id: `t${body.max_tokens}`, name: "files__list_calls", partial_json: raw },
        ],
      };
    },
  });
  const { message } = await responseOf(model, requestOf([userText("go")], { snapshot }));
  expect(new Set(sentNames).size).toBe(5);
  for (const name of sentNames) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  const [call] = message.content;
  const start = sentNames.filter((name) => name.startsWith("StartTime_"))[1];
  const original = (call?.type === "tool_call" ? call.input : "").includes('"StartTime<"')
    ? "StartTime<"
    : "StartTime>";
  expect(call).toMatchObject({
    input: `{ "${original}": "2026", "StartTime_": "x", "types[]": [1.0, {"${original}": "\\"${start}\\":"}] }`,
  });
  expect(message.native?.json).toContain(`"${start}": "2026"`);
  expect(simulator.requests).toHaveLength(1);
});
