import { afterEach, expect, test } from "vitest";
import type {
  SimulatedResponseItem,
  SimulatedResponseTurn,
} from "../../../src/testing/openai-responses/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { requestOf, responseOf, userText } from "../anthropic/requests.ts";
import { closeAll, modelAt, says, startModel } from "./start.ts";

afterEach(closeAll);

type Item = Readonly<Record<string, unknown>>;

const call = (more: object = {}): SimulatedResponseItem => ({
  type: "function_call",
  name: "files__read",
  ...more,
});
const thought = (more: object = {}): SimulatedResponseItem => ({ type: "reasoning", ...more });

function resultsFor(message: AssistantMessage): Message {
  const content = message.content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ type: "tool_result" as const, callId: block.id, isError: false, content: [] }]
      : [],
  );
  return { role: "user", content: content.length === 0 ? [{ type: "text", text: "go on" }] : content };
}

/** Plays turns one after the other; what the last request held of them. */
async function replayed(
  ...turns: readonly SimulatedResponseTurn[]
): Promise<{ messages: readonly AssistantMessage[]; sent: readonly Item[] }> {
  const { simulator, model } = await startModel({ turns: [...turns, { output: [says("done")] }] });
  const messages: Message[] = [userText("go")];
  for (const _ of turns) {
    const { message } = await responseOf(model, requestOf(messages));
    messages.push(message, resultsFor(message));
  }
  await responseOf(model, requestOf(messages));
  simulator.assertDone();
  return {
    messages: messages.filter((message) => message.role === "assistant"),
    sent: inputOf(simulator).filter(({ type, role }) => role !== "user" && type !== "function_call_output"),
  };
}

const inputOf = (simulator: Simulator): readonly Item[] =>
  (simulator.requests.at(-1)?.body.input ?? []) as readonly Item[];

const kinds = (items: readonly Item[]): string[] =>
  items.map(({ type, id }) => `${String(type)}${id === undefined ? " without its id" : ""}`);

test("items go back as they came: reasoning in front of what it led to, phases, several messages", async () => {
  const { messages, sent } = await replayed({
    output: [
      thought({ summary: ["First.", "Second."] }),
      { type: "message", text: "I look.", phase: "commentary" },
      thought(),
      call(),
      call(),
    ],
  });
  expect(kinds(sent)).toEqual(["reasoning", "message", "reasoning", "function_call", "function_call"]);
  expect(sent[1]).toMatchObject({ phase: "commentary", status: "completed" });
  expect(JSON.stringify(sent)).toBe(messages[0]?.native?.json);
  expect(messages[0]?.content[0]).toEqual({ type: "thinking", text: "First.\n\nSecond." });
});

test("reasoning that led to nothing does not go back", async () => {
  const { sent } = await replayed({ output: [thought(), thought(), call(), says("hm"), thought()] });
  expect(kinds(sent)).toEqual(["reasoning", "function_call", "message"]);
});

test("reasoning that came without its encrypted content does not go back, nor the id that would ask for it", async () => {
  const { simulator, model } = await startModel(
    { turns: [{ output: [thought(), call()] }, { output: [says("done")] }] },
    { name: "gpt-4o" },
  );
  const { message } = await responseOf(model, requestOf([userText("go")]));
  await responseOf(model, requestOf([userText("go"), message, resultsFor(message)]));
  expect(kinds(inputOf(simulator).slice(1, 2))).toEqual(["function_call without its id"]);
});

test("ids that the API would not take back, or has seen already, are left out", async () => {
  const odd = { output: [call({ id: "call_1" }), { ...says("x"), id: "msg:1" }, call({ id: "fc_end_" })] };
  const { sent } = await replayed(odd, {
    output: [
      call({ id: "fc_same" }),
      call({ id: "fc_same" }),
      thought({ id: "bad", encrypted_content: "gAAAA1" }),
      call({ id: "fc_c" }),
    ],
  });
  expect(kinds(sent)).toEqual([
    "function_call without its id",
    "message without its id",
    "function_call without its id",
    "function_call",
    "function_call without its id",
    "reasoning without its id",
    "function_call without its id",
  ]);
  const again = await replayed({ output: [call({ id: "fc_1" })] }, { output: [call({ id: "fc_1" })] });
  expect(kinds(again.sent)).toEqual(["function_call", "function_call without its id"]);
});

test("an empty message is never sent, and a turn of nothing else is no turn", async () => {
  const { messages, sent } = await replayed({ output: [says("")] });
  expect(sent).toEqual([]);
  expect(messages[0]).toMatchObject({ content: [], native: { json: "[]" } });
});

test("arguments that are no JSON object stay visible and go back as an empty object", async () => {
  for (const raw of ['{"path": "/tmp/a', "[1]", "null"]) {
    const { messages, sent } = await replayed({ output: [call({ arguments: raw })] });
    expect(messages[0]?.content).toMatchObject([{ type: "tool_call", input: raw }]);
    expect(sent).toMatchObject([{ arguments: "{}" }]);
  }
});

test("long ids of calls and made-up names are told again in a form that the API takes", async () => {
  const long = `call_${"x".repeat(90)}`;
  const { messages, sent } = await replayed({ output: [call({ call_id: long, name: "no such tool!" })] });
  const [block] = messages[0]?.content ?? [];
  expect(block).toMatchObject({ name: "no such tool!", id: sent[0]?.call_id });
  expect(String(sent[0]?.call_id)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(sent[0]?.name).toBe("no_such_tool_");
});

test("the same turn is told to another model without its items' ids and its reasoning", async () => {
  const { simulator, model } = await startModel({
    turns: [{ output: [thought(), says("I look."), call()] }, { output: [says("done")] }],
  });
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const other = modelAt(`${simulator.url}/v1`, { name: "gpt-5.6-mini" });
  await responseOf(other, requestOf([userText("go"), message, resultsFor(message)]));
  expect(kinds(inputOf(simulator).slice(1, 3))).toEqual([
    "message without its id",
    "function_call without its id",
  ]);
});
