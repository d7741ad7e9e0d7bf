import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { fakeServer, type ScriptedStep, textTool } from "../../src/testing/index.ts";
import type { ModelRequest } from "../../src/types/model.ts";
import { modernServer } from "../fixtures/connections/connect.ts";
import { runScript } from "../support/run-host.ts";

const aliasesOf = (request: ModelRequest) => request.snapshot.tools.map((tool) => tool.alias);

test("the tools of a lone server have its prefix too", async () => {
  const server = fakeServer([textTool("send", () => "sent")]);
  const { model } = await runScript([{ text: "done" }], { servers: { mail: server } });
  expect(model.requests[0]?.tools.map(({ alias }) => alias)).toEqual([
    "drawbridge__read_output",
    "mail__send",
  ]);
});

test("the order of the tools depends on their names alone, not on the config or the servers' lists", async () => {
  const tools = ["zeta", "Alpha", "mu"].map((name) => textTool(name, () => name));
  const backwards = [...tools].reverse();
  const first = await runScript([{ text: "done" }], {
    servers: { b: fakeServer(tools), a: fakeServer(tools) },
  });
  const second = await runScript([{ text: "done" }], {
    servers: { a: fakeServer(backwards), b: fakeServer(backwards) },
  });
  const bytes = JSON.stringify(first.model.requests[0]?.tools);
  expect(JSON.stringify(second.model.requests[0]?.tools)).toBe(bytes);
});

test("a change counts from the next turn on: within a turn, calls are routed by the list that the model saw", async () => {
  const old = textTool("old", () => "old");
  const server = fakeServer([old]);
  const { results, events } = await runScript(
    [
      async () => {
        server.changeTools([old, textTool("new", () => "new")]);
        await delay(50);
        return { calls: [{ name: "s__old" }, { name: "s__new" }] };
      },
      { calls: [{ name: "s__new" }] },
      { text: "done" },
    ],
    { servers: { s: server } },
  );
  expect(results(0).map((block) => block.isError)).toEqual([false, true]);
  expect(results(1).map((block) => block.isError)).toEqual([false]);
  const order = events.map((event) => event.type);
  expect(order.indexOf("tools_changed")).toBeGreaterThan(order.indexOf("results_returned"));
});

test("a change that a server announces over subscriptions/listen reaches the model, appended to its list", async () => {
  const look: ScriptedStep = async (request) => {
    if (aliasesOf(request).includes("modern__added")) return { text: aliasesOf(request).join(" ") };
    await delay(50);
    return { calls: [{ name: "modern__hello" }] };
  };
  const steps: ScriptedStep[] = [{ calls: [{ name: "modern__add" }] }, ...Array(60).fill(look)];
  const { result } = await runScript(steps, {
    servers: { modern: { config: modernServer() } },
    limits: { turns: 60 },
  });
  expect(result.stop).toEqual({ type: "answered" });
  expect(result.text).toBe("drawbridge__read_output modern__add modern__hello modern__wait modern__added");
});
