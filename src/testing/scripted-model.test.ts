import { expect, test } from "vitest";
import type { ModelEvent, ModelRequest } from "../types/model.ts";
import { scriptedModel } from "./scripted-model.ts";

const request: ModelRequest = {
  system: "",
  snapshot: { version: 1, tools: [], byAlias: new Map(), quarantined: [] },
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  maxTokens: 100,
  signal: new AbortController().signal,
};

async function events(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of stream) found.push(event);
  return found;
}

test("a turn is streamed as deltas and ends with its one response", async () => {
  const model = scriptedModel([{ text: "On it.", calls: [{ name: "files__read", input: { path: "a" } }] }]);
  const seen = await events(model.stream(request));
  const text = seen.map((event) => (event.type === "text_delta" ? event.text : "")).join("");
  expect(text).toBe("On it.");
  expect(seen.at(-1)).toMatchObject({
    type: "response",
    response: {
      stopReason: "tool_use",
      message: {
        content: [
          { type: "text", text: "On it." },
          { type: "tool_call", id: "call_1", name: "files__read", input: '{"path":"a"}' },
        ],
      },
    },
  });
  model.assertDone();
});

test("an error step is what the request rejects with", async () => {
  const model = scriptedModel([new Error("no service")]);
  await expect(events(model.stream(request))).rejects.toThrow("no service");
});

test("a request too many says so, and so do steps left over", async () => {
  const model = scriptedModel([{ text: "one" }]);
  expect(() => model.assertDone()).toThrow("asked 0 times of 1");
  await events(model.stream(request));
  await expect(events(model.stream(request))).rejects.toThrow("has 1 steps; this is request 2");
});

test("recorded requests are copies that later changes do not reach", async () => {
  const messages = [...request.messages];
  const model = scriptedModel([(asked) => ({ text: `${asked.messages.length} messages` })]);
  await events(model.stream({ ...request, messages }));
  messages.length = 0;
  expect(model.requests[0]?.messages).toHaveLength(1);
});

test("a step that never answers ends when the run is aborted", async () => {
  const controller = new AbortController();
  const model = scriptedModel([() => new Promise(() => {})]);
  const asked = events(model.stream({ ...request, signal: controller.signal }));
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: "aborted" });
});
