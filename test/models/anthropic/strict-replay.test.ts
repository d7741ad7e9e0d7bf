import { afterEach, expect, test } from "vitest";
import type { AnthropicSimulator } from "../../../src/testing/anthropic/simulator.ts";
import type { SimulatedStep } from "../../../src/testing/anthropic/turns.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { requestOf, responseOf, userText } from "./requests.ts";
import { closeAll, modelAt, startModel } from "./start.ts";

afterEach(closeAll);

/** Everything that a model may think and do in one turn, before it is answered. */
const busy: SimulatedStep = {
  content: [
    { type: "thinking", thinking: "" },
    { type: "redacted_thinking" },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    { type: "text", text: "I look." },
    { type: "thinking", thinking: "Which file?" },
    { type: "tool_use", name: "files__read", input: { path: "a" } },
  ],
};
const done: SimulatedStep = {
  content: [
    { type: "thinking", thinking: "So." },
    { type: "text", text: "done" },
  ],
};

function answersTo(message: AssistantMessage): Message {
  const content = message.content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ type: "tool_result" as const, callId: block.id, content: [], isError: false }]
      : [],
  );
  return { role: "user", content };
}

/** The blocks of every message of a request. */
function contentsOf(simulator: AnthropicSimulator, index: number): { type: string }[][] {
  const messages = simulator.requests[index]?.body.messages as { content: { type: string }[] }[] | undefined;
  return (messages ?? []).map(({ content }) => content);
}

/** A question with a call, its answer, and another one with a call, each asked of the model with this index. */
async function converse(
  models: readonly Parameters<typeof responseOf>[0][],
  order: readonly number[],
): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for (const [turn, index] of order.entries()) {
    const last = messages.at(-1);
    messages.push(
      last?.role === "assistant" && turn % 2 === 1 ? answersTo(last) : userText(`question ${turn}`),
    );
    const model = models[index];
    if (model === undefined) throw new Error("There is no such model.");
    messages.push((await responseOf(model, requestOf([...messages]))).message);
  }
  return messages;
}

test("whatever a model thinks and does goes back so that the API takes it, however strict it is about it", async () => {
  const { model, simulator } = await startModel(
    { turns: (_, index) => (index % 2 === 0 ? busy : done), deltaChars: 3, fragmentBytes: 7 },
    { name: "claude-fable-5-1" },
  );
  await converse([model], [0, 0, 0, 0]);
  expect(simulator.requests.map(({ status, refusal }) => [status, refusal])).toEqual(
    Array(4).fill([200, undefined]),
  );
  const types = contentsOf(simulator, 3)
    .flat()
    .map(({ type }) => type);
  expect(types.filter((type) => type === "thinking")).toHaveLength(5);
  expect(types.filter((type) => type === "redacted_thinking")).toHaveLength(2);
  expect(types.filter((type) => type === "web_search_tool_result")).toHaveLength(2);
});

test("another model of the API gets the turns without what only their own model can read", async () => {
  const { model, simulator } = await startModel(
    { turns: (_, index) => (index % 2 === 0 ? busy : done) },
    { name: "claude-fable-5-1" },
  );
  const other = modelAt(simulator.url, { name: "claude-opus-5" });
  await converse([model, other], [0, 1, 1, 0, 0, 1]);
  expect(simulator.requests.map(({ status, refusal }) => [status, refusal])).toEqual(
    Array(6).fill([200, undefined]),
  );
  expect(simulator.requests[1]?.body.model).toBe("claude-opus-5");
  expect(contentsOf(simulator, 1)[1]).toMatchObject([
    { type: "text", text: "I look." },
    { type: "tool_use", name: "files__read", input: { path: "a" } },
  ]);
});
