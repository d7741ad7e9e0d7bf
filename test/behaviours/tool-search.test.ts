import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { ApprovalRequest } from "../../src/types/approval.ts";
import { callToolAlias, searchToolAlias } from "../../src/types/tool.ts";
import { runScript, textOf } from "../support/run-host.ts";

const number = (index: number): string => String(index).padStart(2, "0");
const crowd = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    textTool(`op_${number(index)}`, ({ text = "" }) => `${index} did ${text}`, {
      description: `Operation ${number(index)}.`,
      inputSchema: { type: "object", properties: { text: { type: "string" } }, additionalProperties: false },
    }),
  );

const found = (name: string, args: object = {}) => ({
  name: callToolAlias,
  input: { name, arguments: args },
});
const search = (query: string) => ({ name: searchToolAlias, input: { query } });
const done: ScriptedStep = { text: "done" };
const limits = { offeredTools: 8 };

test("a tool that was not offered is searched, called, and seen everywhere as what it is", async () => {
  const bulk = fakeServer(crowd(30));
  const { result, results, events, audit } = await runScript(
    [{ calls: [search("operation 29")] }, { calls: [found("bulk__op_29", { text: "well" })] }, done],
    { servers: { bulk }, limits },
  );
  expect(result.stop).toEqual({ type: "answered" });
  expect(textOf(results(0)[0])).toContain('{"name":"bulk__op_29","description":"Operation 29."');
  expect(textOf(results(1)[0])).toBe("29 did well");
  expect(bulk.calls).toEqual([{ name: "op_29", arguments: { text: "well" } }]);
  const proposed = events.filter((event) => event.type === "call_proposed");
  expect(proposed.at(-1)).toMatchObject({
    ...{ alias: "bulk__op_29", server: "bulk", tool: "op_29", arguments: { text: "well" } },
  });
  const recorded = audit.filter((entry) => entry.kind === "call_intended");
  expect(recorded.map(({ server, tool }) => [server, tool])).toEqual([
    ["drawbridge", "search_tools"],
    ["bulk", "op_29"],
  ]);
  expect(JSON.stringify(audit)).not.toContain("call_tool");
});

test("the rules and the person decide about the tool that is called, never about the wrapper", async () => {
  const bulk = fakeServer(crowd(30));
  const asked: ApprovalRequest[] = [];
  const { results } = await runScript(
    [{ calls: [found("bulk__op_28"), found("bulk__op_29"), found("bulk__op_27")] }, done],
    {
      servers: { bulk },
      limits,
      policy: { rules: ["deny bulk/op_28", "ask bulk/op_29", "allow bulk/op_27", "allow drawbridge/*"] },
      approve(request) {
        asked.push(request);
        for (const { id } of request.questions) request.answer(id, { type: "deny", message: "not now" });
      },
    },
  );
  expect(asked.flatMap(({ questions }) => questions.map(({ calls }) => calls[0].tool.route))).toEqual([
    { server: "bulk", tool: "op_29" },
  ]);
  expect(results(0).map(({ isError }) => isError)).toEqual([true, true, false]);
  expect(bulk.calls.map(({ name }) => name)).toEqual(["op_27"]);
});

test("arguments follow the found tool's own schema, and a call by its own name works as well", async () => {
  const bulk = fakeServer(crowd(30));
  const { results } = await runScript(
    [{ calls: [found("bulk__op_29", { text: 5 }), { name: "bulk__op_29", input: { text: "x" } }] }, done],
    { servers: { bulk }, limits },
  );
  expect(textOf(results(0)[0])).toContain("bulk__op_29 do not fit its schema");
  expect(textOf(results(0)[1])).toBe("29 did x");
});

test("what is hidden is neither found nor called", async () => {
  const bulk = fakeServer(crowd(30));
  const { results } = await runScript([{ calls: [search("op_29"), found("bulk__op_29")] }, done], {
    servers: { bulk },
    limits,
    policy: { rules: ["allow */*", "hide bulk/op_29"] },
  });
  expect(textOf(results(0)[0])).not.toContain('"bulk__op_29"');
  expect(textOf(results(0)[1])).toContain('There is no tool "bulk__op_29"');
  expect(bulk.calls).toEqual([]);
});

test("the list stays the same through searches, calls and changes; new tools are found, removed ones are gone", async () => {
  const bulk = fakeServer(crowd(30));
  const { model, results, events } = await runScript(
    [
      { calls: [search("op 29"), found("bulk__op_29")] },
      async () => {
        bulk.changeTools([...crowd(29), textTool("fresh", () => "fresh", { description: "Something new." })]);
        await delay(50);
        return { calls: [found("bulk__op_28")] };
      },
      { calls: [search("something new"), found("bulk__fresh"), found("bulk__op_29")] },
      done,
    ],
    { servers: { bulk }, limits },
  );
  expect(events.some(({ type }) => type === "tools_changed")).toBe(true);
  const [first, ...others] = model.requests.map(({ tools }) => JSON.stringify(tools));
  expect(others).toEqual([first, first, first]);
  expect(textOf(results(2)[0])).toContain('"bulk__fresh"');
  expect(textOf(results(2)[1])).toBe("fresh");
  expect(textOf(results(2)[2])).toContain("is gone");
});

test("how many tools are behind the search is told, and why", async () => {
  const { events } = await runScript([done], { servers: { bulk: fakeServer(crowd(30)) }, limits });
  expect(events.find(({ type }) => type === "catalog_ready")).toEqual({
    type: "catalog_ready",
    tools: 6,
    quarantined: [],
    behindSearch: { tools: 25, reason: "the limit offeredTools is 8" },
  });
});

test("removed tools that were not offered are counted neither as offered nor as found", async () => {
  const bulk = fakeServer(crowd(30));
  const model = scriptedModel([done, done]);
  await using host = createHost({
    state: false,
    audit: false,
    servers: { bulk: bulk.config },
    limits,
    model,
  });
  const conversation = host.conversation();
  await conversation.run("one").result;
  bulk.changeTools(crowd(20));
  await delay(50);
  const ready = [];
  for await (const event of conversation.run("two")) if (event.type === "catalog_ready") ready.push(event);
  expect(ready).toMatchObject([{ tools: 6, behindSearch: { tools: 15 } }]);
});

test("a conversation that goes on elsewhere is offered the tools that it has used", async () => {
  const bulk = () => fakeServer(crowd(30));
  const first = await runScript([{ calls: [found("bulk__op_29")] }, done], {
    servers: { bulk: bulk() },
    limits,
  });
  const { model } = await runScript([done], {
    servers: { bulk: bulk() },
    limits,
    run: { transcript: first.result.messages },
  });
  expect(model.requests[0]?.tools.map(({ alias }) => alias)).toContain("bulk__op_29");
  expect(model.requests[0]?.tools).toHaveLength(8);
});
