import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import { runScript, textOf } from "../support/run-host.ts";

test("several calls of one turn run together and come back in one user message, in call order", async () => {
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const order: string[] = [];
  const server = fakeServer([
    textTool("first", async () => {
      await both;
      order.push("first");
      return "A";
    }),
    textTool("second", async () => {
      order.push("second");
      release();
      return "B";
    }),
  ]);
  const calls = [
    { id: "c1", name: "s__first" },
    { id: "c2", name: "s__second" },
  ];
  const { result } = await runScript([{ calls }, { text: "done" }], {
    servers: { s: server },
    limits: { callIdleMs: 3_000 },
  });
  expect(order).toEqual(["second", "first"]);
  expect(result.messages.map((message) => message.role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(result.messages[2]?.content).toEqual([
    { type: "tool_result", callId: "c1", content: [{ type: "text", text: "A" }], isError: false },
    { type: "tool_result", callId: "c2", content: [{ type: "text", text: "B" }], isError: false },
  ]);
});

test("ids are never mixed, also when the model repeats an id within a turn and in a later one", async () => {
  const server = fakeServer([textTool("echo", (args) => String(args.word))]);
  const call = (word: string) => ({ id: "same", name: "s__echo", input: { word } });
  const steps = [{ calls: [call("one"), call("two")] }, { calls: [call("three")] }, { text: "done" }];
  const { result, results } = await runScript(steps, { servers: { s: server } });
  const asked = result.messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((block) => block.type === "tool_call") : [],
  );
  expect(new Set(asked.map((block) => block.id)).size).toBe(3);
  const answered = [...results(0), ...results(1)];
  expect(answered.map((block) => block.callId)).toEqual(asked.map((block) => block.id));
  expect(answered.map(textOf)).toEqual(["one", "two", "three"]);
});

const amountSchema = {
  type: "object",
  properties: { amount: { type: "integer", minimum: 1 } },
  required: ["amount"],
  additionalProperties: false,
};

test.each([
  ["a missing field", "{}", "amount"],
  ["a wrong type", '{"amount":"3"}', "amount"],
  ["an unknown field", '{"amount":3,"constructor":1}', "constructor"],
  ["broken JSON", '{"amount":', "JSON"],
  ["a list instead of an object", "[3]", "object"],
  ["a field written twice", '{"amount":1,"amount":2}', "amount"],
])("input with %s runs nothing, and the error names what is wrong", async (_, input, named) => {
  const server = fakeServer([textTool("pay", () => "paid", { inputSchema: amountSchema })]);
  const steps = [{ calls: [{ name: "s__pay", input }] }, { text: "sorry" }];
  const { results, result } = await runScript(steps, { servers: { s: server } });
  expect(server.calls).toEqual([]);
  expect(results(0)[0]?.isError).toBe(true);
  expect(textOf(results(0)[0])).toContain(named);
  expect(result.stop).toEqual({ type: "answered" });
});

test("valid input reaches the server as the JSON that the model wrote", async () => {
  const server = fakeServer([textTool("pay", () => "paid", { inputSchema: amountSchema })]);
  await runScript([{ calls: [{ name: "s__pay", input: '{ "amount" : 3 }' }] }, { text: "ok" }], {
    servers: { s: server },
  });
  expect(server.calls).toEqual([{ name: "pay", arguments: { amount: 3 } }]);
});

test("an unknown tool name gets an error result that lists the nearest names", async () => {
  const server = fakeServer([textTool("read_file", () => "text"), textTool("send", () => "sent")]);
  const steps = [{ calls: [{ name: "s__read_fil" }, { name: "constructor" }] }, { text: "sorry" }];
  const { results, result } = await runScript(steps, { servers: { s: server } });
  expect(results(0).map((block) => block.isError)).toEqual([true, true]);
  expect(textOf(results(0)[0])).toContain("s__read_file");
  expect(result.stop).toEqual({ type: "answered" });
});

test("a tool that throws and a server that dies give error results, and the run goes on", async () => {
  const good = fakeServer([textTool("ok", () => "fine")]);
  const bad = fakeServer([
    textTool("boom", () => {
      throw new Error("boom inside");
    }),
    textTool("die", () => {
      bad.crash();
      return "never seen";
    }),
  ]);
  const calls = [{ name: "bad__boom" }, { name: "good__ok" }];
  const steps = [{ calls }, { calls: [{ name: "bad__die" }, { name: "good__ok" }] }, { text: "done" }];
  const { results, result } = await runScript(steps, {
    servers: { bad, good },
    // Both servers are untrusted and local: what one says may not go to the other unasked.
    policy: { rules: ["allow */*"], flows: "off" },
    limits: { callIdleMs: 3_000 },
  });
  expect(results(0).map((block) => block.isError)).toEqual([true, false]);
  expect(textOf(results(0)[0])).toContain("boom inside");
  expect(results(1).map((block) => block.isError)).toEqual([true, false]);
  expect(textOf(results(1)[0])).toContain("was lost");
  expect(result.stop).toEqual({ type: "answered" });
});

test("a call past its time limit becomes an error result, the server is told, and the other calls are unharmed", async () => {
  let given = () => {};
  const givenUp = new Promise<void>((resolve) => {
    given = resolve;
  });
  const server = fakeServer([
    textTool("hang", async (_, { signal }) => {
      signal.addEventListener("abort", given);
      await Promise.race([givenUp, delay(4_000)]);
      return "late";
    }),
    textTool("alive", async (_, { progress }) => {
      // Still at work when the other call is given up.
      for (let step = 1; step <= 15; step += 1) {
        progress(step);
        await delay(100);
      }
      return "done in time";
    }),
  ]);
  const steps = [{ calls: [{ name: "s__hang" }, { name: "s__alive" }] }, { text: "done" }];
  const { results, result } = await runScript(steps, {
    servers: { s: server },
    limits: { callIdleMs: 1_000 },
  });
  expect(results(0).map((block) => block.isError)).toEqual([true, false]);
  expect(results(0).map(textOf)).toEqual([expect.stringContaining("Timed out"), "done in time"]);
  expect(server.cancelled).toEqual(["hang"]);
  expect(result.stop).toEqual({ type: "answered" });
});

test("a call that reports progress without end is given up at its hard limit", async () => {
  const server = fakeServer([
    textTool("endless", async (_, { progress }) => {
      for (let step = 1; step <= 40; step += 1) {
        progress(step);
        await delay(50);
      }
      return "late";
    }),
  ]);
  const { results } = await runScript([{ calls: [{ name: "s__endless" }] }, { text: "done" }], {
    servers: { s: server },
    limits: { callIdleMs: 60_000, callHardMs: 500 },
  });
  expect(textOf(results(0)[0])).toContain("Timed out");
  expect(server.cancelled).toEqual(["endless"]);
});

test("a turn with very many calls leaves no warning about listeners behind", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const server = fakeServer([textTool("echo", (args) => String(args.n))]);
  const calls = Array.from({ length: 60 }, (_, n) => ({ name: "s__echo", input: { n } }));
  const { results } = await runScript([{ calls }, { text: "done" }], { servers: { s: server } });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(results(0).map(textOf)).toEqual(calls.map(({ input }) => String(input.n)));
  expect(warnings).toEqual([]);
});
