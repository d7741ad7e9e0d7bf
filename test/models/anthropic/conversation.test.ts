import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { SimulatedStep } from "../../../src/testing/anthropic/turns.ts";
import type { Message } from "../../../src/types/message.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "./requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

const start = (...turns: SimulatedStep[]): ReturnType<typeof startModel> =>
  startModel({ turns, fragmentBytes: 7, deltaChars: 5 });

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Results of every kind for the calls `toolu_1` to `toolu_3`. */
const results: Message = {
  role: "user",
  content: [
    { type: "tool_result", callId: "toolu_1", isError: false, content: [{ type: "text", text: "one" }] },
    {
      type: "tool_result",
      callId: "toolu_2",
      isError: true,
      content: [{ type: "text", text: "No such file." }],
    },
    {
      type: "tool_result",
      callId: "toolu_3",
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
  const { simulator, model } = await start(
    {
      content: [
        { type: "thinking", thinking: "Three files.", signature: "c2lnLTE=" },
        { type: "text", text: "I read them." },
        { type: "tool_use", id: "toolu_1", name: "files__read", input: { path: "a" } },
        { type: "tool_use", id: "toolu_2", name: "files__read", input: { path: "b" } },
        { type: "tool_use", id: "toolu_3", name: "files__look", input: {} },
      ],
    },
    { content: [{ type: "text", text: "Done." }] },
    { content: [{ type: "text", text: "You are welcome." }] },
  );
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
    const golden = join(import.meta.dirname, `../../golden/anthropic-turn-${index + 1}.json`);
    await expect(`${body}\n`).toMatchFileSnapshot(golden);
  }
});

test("text, thinking and arguments are streamed in pieces that join to the message", async () => {
  const { model } = await start({
    content: [
      { type: "thinking", thinking: "Hm, น้ำ?", signature: "c2ln" },
      { type: "text", text: "Reading น้ำ 🙂 now." },
      { type: "tool_use", id: "toolu_1", name: "files__read", input: { path: "น้ำ.txt" } },
    ],
  });
  const events = await eventsOf(model, requestOf([userText("go")]));
  const joined = (type: string): string =>
    events
      .map((event) => {
        if (event.type !== type) return "";
        return "text" in event ? event.text : "json" in event ? event.json : "";
      })
      .join("");
  expect(joined("thinking_delta")).toBe("Hm, น้ำ?");
  expect(joined("text_delta")).toBe("Reading น้ำ 🙂 now.");
  expect(joined("tool_input_delta")).toBe('{"path":"น้ำ.txt"}');
  expect(events.filter((event) => event.type === "response")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({
    type: "response",
    response: {
      stopReason: "tool_use",
      rawStopReason: "tool_use",
      usage: { requests: 1 },
      message: {
        content: [
          { type: "thinking", text: "Hm, น้ำ?" },
          { type: "text", text: "Reading น้ำ 🙂 now." },
          { type: "tool_call", id: "toolu_1", name: "files__read", input: '{"path":"น้ำ.txt"}' },
        ],
      },
    },
  });
});

test("the prompt cache is read from the second turn on, also when a turn brings more than twenty blocks", async () => {
  const calls = (turn: number): SimulatedStep => ({
    content: Array.from({ length: 15 }, (_, index) => ({
      type: "tool_use",
      id: `toolu_${turn}_${index}`,
      name: "files__read",
      input: { path: `${turn}/${index}` },
    })),
  });
  const { model } = await start(calls(1), calls(2), { content: [{ type: "text", text: "Done." }] });
  const messages: Message[] = [userText("word ".repeat(1000))];
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
  expect(reads[1]).toBeGreaterThan(1000);
  expect(reads[2]).toBeGreaterThan(reads[1] ?? 0);
});
