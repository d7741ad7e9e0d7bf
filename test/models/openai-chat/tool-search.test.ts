import { afterEach, expect, test } from "vitest";
import { createHost } from "../../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../../src/testing/index.ts";
import type { Model } from "../../../src/types/model.ts";
import { callToolAlias } from "../../../src/types/tool.ts";
import { closeAll, startChat } from "./start.ts";

afterEach(closeAll);

const quiet = { state: false, audit: false, policy: { rules: ["allow */*"] } } as const;
const bulk = (count: number) =>
  fakeServer(Array.from({ length: count }, (_, index) => textTool(`op_${index}`, () => `${index}`)));

const toolsOf = (request: { readonly body: object } | undefined): unknown[] =>
  (request?.body as { tools?: unknown[] } | undefined)?.tools ?? [];

test("tools that the API has no room for are told apart from the quarantined ones, and reached", async () => {
  const { simulator, model } = await startChat("openai-chat", {
    turns: [
      { tool_calls: [{ name: callToolAlias, arguments: { name: "bulk__op_139", arguments: {} } }] },
      { content: "fine" },
    ],
  });
  const server = bulk(140);
  await using host = createHost({ ...quiet, servers: { bulk: server.config }, model });
  const run = host.run("hi");
  const ready = [];
  for await (const event of run) if (event.type === "catalog_ready") ready.push(event);
  expect(ready).toEqual([
    {
      type: "catalog_ready",
      tools: 126,
      quarantined: [],
      behindSearch: { tools: 15, reason: "OpenAI takes at most 128 tools in a request" },
    },
  ]);
  expect(server.calls).toEqual([{ name: "op_139", arguments: {} }]);
  const [first, second] = simulator.requests.map(toolsOf);
  expect(first).toHaveLength(128);
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  expect((await host.tools()).behindSearch?.tools).toHaveLength(15);
});

test("a conversation that goes on with a model of less room is offered what it used, and goes on", async () => {
  const { simulator, model } = await startChat("openai-chat", { turns: () => ({ content: "fine" }) });
  const large = scriptedModel([{ calls: [{ name: "bulk__op_99" }] }, { text: "did" }, { text: "again" }]);
  await using host = createHost({ ...quiet, servers: { bulk: bulk(300).config }, model: large });
  const conversation = host.conversation();
  await conversation.run("one").result;
  expect((await conversation.run("two", { model }).result).text).toBe("fine");
  expect(toolsOf(simulator.requests[0])).toHaveLength(128);
  expect(JSON.stringify(toolsOf(simulator.requests[0]))).toContain('"bulk__op_99"');
  await conversation.run("three").result;
  expect(large.requests.map(({ tools }) => tools.length)).toEqual([301, 301, 301]);
});

test("a fallback with less room than the model before it gets a selection of its own", async () => {
  const { simulator, model: fallback } = await startChat("openai-chat", {
    turns: () => ({ content: "fine" }),
  });
  const refusing: Model = scriptedModel([{ stopReason: "refusal" }]);
  await using host = createHost({
    ...quiet,
    servers: { bulk: bulk(300).config },
    model: refusing,
    fallbackModels: [fallback],
  });
  expect((await host.run("hi").result).text).toBe("fine");
  expect(toolsOf(simulator.requests[0])).toHaveLength(128);
  expect(JSON.stringify(simulator.requests[0]?.body)).toContain(callToolAlias);
});

test("a server of one's own that takes so many bytes of tools gets as many as fit, with the search", async () => {
  const { simulator, model } = await startChat("llamacpp", { turns: () => ({ content: "fine" }) });
  const server = fakeServer(
    Array.from({ length: 60 }, (_, index) =>
      textTool(`op_${index}`, () => "x", { description: "d".repeat(4_000) }),
    ),
  );
  await using host = createHost({ ...quiet, servers: { big: server.config }, model });
  expect((await host.run("hi").result).text).toBe("fine");
  const [sent] = simulator.requests.map(toolsOf);
  expect(sent?.length).toBeGreaterThan(20);
  expect(sent?.length).toBeLessThan(30);
  expect(JSON.stringify(sent)).toContain(callToolAlias);
});

test("a found tool gets no parameters that a model filled in with nothing, as if it were called by its name", async () => {
  const given = { name: "bulk__op_139", arguments: { text: "x", most: null, from: "" } };
  const { model } = await startChat("openai-chat", {
    turns: [{ tool_calls: [{ name: callToolAlias, arguments: given }] }, { content: "fine" }],
  });
  const number = { type: "integer" };
  const inputSchema = {
    type: "object",
    properties: { text: { type: "string" }, most: number, from: number },
  };
  const tools = Array.from({ length: 140 }, (_, index) =>
    textTool(`op_${index}`, () => "done", { inputSchema }),
  );
  const server = fakeServer(tools);
  await using host = createHost({ ...quiet, servers: { bulk: server.config }, model });
  expect((await host.run("hi").result).text).toBe("fine");
  expect(server.calls).toEqual([{ name: "op_139", arguments: { text: "x" } }]);
});
