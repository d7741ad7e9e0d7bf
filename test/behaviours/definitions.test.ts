import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import { runScript } from "../support/run-host.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test("an MCP tool becomes a tool definition of the model, and a missing description becomes empty text", async () => {
  const weather = fakeServer([
    textTool("forecast", () => "sun", { description: "Weather of a city", inputSchema: schema }),
    { definition: { name: "bare", inputSchema: { type: "object" } }, run: () => ({ content: [] }) },
  ]);
  const { model } = await runScript([{ text: "done" }], { servers: { weather } });
  const tools = model.requests[0]?.tools ?? [];
  expect(tools.map(({ alias }) => alias)).toEqual([
    "drawbridge__read_output",
    "weather__bare",
    "weather__forecast",
  ]);
  expect(tools[1]).toMatchObject({ description: "", inputSchema: { type: "object" } });
  expect(tools[2]).toMatchObject({ description: "Weather of a city", inputSchema: schema });
});

test("two servers with a tool of the same name are both usable, and each call reaches its own server", async () => {
  const work = fakeServer([textTool("send", () => "sent from work")]);
  const home = fakeServer([textTool("send", () => "sent from home")]);
  const calls = [{ name: "home__send" }, { name: "work__send" }];
  const { results } = await runScript([{ calls }, { text: "done" }], { servers: { work, home } });
  expect(results(0).map((result) => result.content)).toEqual([
    [{ type: "text", text: "sent from home" }],
    [{ type: "text", text: "sent from work" }],
  ]);
  expect([work.calls.length, home.calls.length]).toEqual([1, 1]);
});

test("a call is routed by the map of what the model saw, never by taking its name apart", async () => {
  const outer = fakeServer([textTool("b__c", () => "outer")]);
  const inner = fakeServer([textTool("c", () => "inner")]);
  const { model, results } = await runScript(
    [
      (request) => ({ calls: request.snapshot.tools.slice(1).map((tool) => ({ name: tool.alias })) }),
      { text: "done" },
    ],
    { servers: { a: outer, a__b: inner } },
  );
  const routes = model.requests[0]?.tools.slice(1).map(({ route }) => route.server);
  const texts = results(0).map((result) => result.content[0]);
  expect(texts).toEqual(
    routes?.map((server) => ({ type: "text", text: server === "a" ? "outer" : "inner" })),
  );
});

test("the order of the tools and the bytes of their definitions do not change between turns", async () => {
  const server = fakeServer(["zeta", "Alpha", "mu"].map((name) => textTool(name, () => name)));
  const steps = [{ calls: [{ name: "b__mu" }] }, { calls: [{ name: "b__zeta" }] }, { text: "done" }];
  const { model } = await runScript(steps, { servers: { b: server } });
  const bytes = model.requests.map((request) => JSON.stringify(request.tools));
  expect(bytes).toHaveLength(3);
  expect(new Set(bytes).size).toBe(1);
});

test("the tool list is read once with all its pages, however many turns there are", async () => {
  const tools = Array.from({ length: 7 }, (_, index) => textTool(`t${index}`, () => "ok"));
  const server = fakeServer(tools, { pageSize: 3 });
  const steps = [{ calls: [{ name: "s__t0" }] }, { calls: [{ name: "s__t6" }] }, { text: "done" }];
  const { model } = await runScript(steps, { servers: { s: server } });
  expect(model.requests[2]?.tools).toHaveLength(8);
  expect(server.lists()).toBe(3);
});

test("after list_changed the list is read again and the new tool is appended at the next turn", async () => {
  const first = textTool("m", () => "ok");
  const server = fakeServer([
    textTool("change", async () => {
      server.changeTools([textTool("a_new", () => "new"), first]);
      return "changed";
    }),
    first,
  ]);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 600));
  const { model, events } = await runScript(
    [
      { calls: [{ name: "s__change" }] },
      async () => {
        await settle();
        return { calls: [{ name: "s__m" }] };
      },
      { calls: [{ name: "s__a_new" }, { name: "s__change" }] },
      { text: "done" },
    ],
    { servers: { s: server } },
  );
  const aliases = (turn: number) => model.requests[turn]?.tools.map(({ alias }) => alias);
  expect(aliases(0)).toEqual(["drawbridge__read_output", "s__change", "s__m"]);
  expect(aliases(2)).toEqual(["drawbridge__read_output", "s__change", "s__m", "s__a_new"]);
  expect(events).toContainEqual({
    type: "tools_changed",
    added: [{ server: "s", tool: "a_new" }],
    removed: [{ server: "s", tool: "change" }],
    changed: [],
  });
  const rejected = events.find((event) => event.type === "call_rejected");
  expect(rejected).toMatchObject({ alias: "s__change", error: { code: "call_unknown_tool" } });
});
