import { expect, test } from "vitest";
import { type FakeTool, fakeServer, textTool } from "../../src/testing/index.ts";
import { runOnWire } from "../support/wire-host.ts";

const done = { content: [{ type: "text", text: "done" }] };
const use = (name: string, id: string) => ({ type: "tool_use", id, name, input: {} });

function failing(name: string, words: string): FakeTool {
  return {
    definition: { name, inputSchema: { type: "object" } },
    run: () => ({ isError: true, content: [{ type: "text", text: words }] }),
  };
}

test("an MCP tool is sent to the Messages API with its input_schema, and without a description as empty text", async () => {
  const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const weather = fakeServer([
    textTool("forecast", () => "sun", { description: "Weather of a city", inputSchema }),
    { definition: { name: "bare", inputSchema: { type: "object" } }, run: () => ({ content: [] }) },
  ]);
  const { bodies, result } = await runOnWire([done], { weather });
  expect(result.stop).toEqual({ type: "answered" });
  const { cache_control: _, ...forecast } = bodies[0]?.tools[2] ?? {};
  expect(bodies[0]?.tools[1]).toEqual({
    name: "weather__bare",
    description: "",
    input_schema: { type: "object", properties: {} },
  });
  expect(forecast).toEqual({
    name: "weather__forecast",
    description: "Weather of a city",
    input_schema: inputSchema,
  });
});

test("an error of a tool is sent to the Messages API as is_error with the tool's words, and a success is not", async () => {
  const server = fakeServer([failing("order", "quantity must be 1"), textTool("look", () => "seen")]);
  const calls = [use("s__order", "toolu_1"), use("s__look", "toolu_2")];
  const { bodies, result } = await runOnWire([{ content: calls }, done], { s: server });
  expect(result.stop).toEqual({ type: "answered" });
  const [order, look] = bodies[1]?.messages.at(-1)?.content ?? [];
  expect(order).toMatchObject({
    type: "tool_result",
    tool_use_id: "toolu_1",
    is_error: true,
    content: [{ type: "text", text: "quantity must be 1" }],
  });
  expect(look).toMatchObject({ tool_use_id: "toolu_2", content: [{ type: "text", text: "seen" }] });
  expect(look?.is_error ?? false).toBe(false);
});

test("the results of a turn are sent to the Messages API in one user message, in call order", async () => {
  const server = fakeServer(["a", "b", "c"].map((name) => textTool(name, () => `from ${name}`)));
  const calls = ["c", "a", "b"].map((name, index) => use(`s__${name}`, `toolu_${index}`));
  const { bodies } = await runOnWire([{ content: calls }, done], { s: server });
  expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  const answers = bodies[1]?.messages[2]?.content.map(({ type, tool_use_id, content }) => [
    type,
    tool_use_id,
    (content as { text: string }[])[0]?.text,
  ]);
  expect(answers).toEqual([
    ["tool_result", "toolu_0", "from c"],
    ["tool_result", "toolu_1", "from a"],
    ["tool_result", "toolu_2", "from b"],
  ]);
});

test("the bytes of the definitions do not depend on the order of a server's list or of the keys in its schemas", async () => {
  const city = { type: "string", description: "Where" };
  const backwards = { description: "Where", type: "string" };
  const day = { type: "integer" };
  const one = { type: "object", properties: { city, day }, required: ["city"] };
  const other = { required: ["city"], properties: { day, city: backwards }, type: "object" };
  const tools = (inputSchema: object) => [
    textTool("forecast", () => "sun", { inputSchema: inputSchema as never }),
    textTool("alerts", () => "none"),
  ];
  const first = await runOnWire([done], { weather: fakeServer(tools(one)) });
  const second = await runOnWire([done], { weather: fakeServer(tools(other).reverse()) });
  expect(JSON.stringify(second.bodies[0]?.tools)).toBe(JSON.stringify(first.bodies[0]?.tools));
});

test("a call that the token limit cut off is not run, however whole it looks, and the API takes what follows", async () => {
  const server = fakeServer([textTool("pay", () => "paid")]);
  const cut = { content: [use("s__pay", "toolu_1")], stop_reason: "max_tokens" };
  const { bodies, result } = await runOnWire([cut, done], { s: server });
  expect(server.calls).toEqual([]);
  expect(bodies[1]?.messages[2]?.content[0]).toMatchObject({ tool_use_id: "toolu_1", is_error: true });
  expect(result.stop).toEqual({ type: "answered" });
});
