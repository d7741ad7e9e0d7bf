import { expect, test } from "vitest";
import { HostError } from "../../src/errors.ts";
import { fakeServer, type ScriptedStep, textTool } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Message } from "../../src/types/message.ts";
import type { Usage } from "../../src/types/model.ts";
import { runScript, textOf } from "../support/run-host.ts";

/** About 5,000 tokens, each time another text. */
const long = (number: number): string => `result ${number} ${"word ".repeat(4_000)}`;

function server() {
  let number = 0;
  return fakeServer([
    textTool("get", () => {
      number += 1;
      return long(number);
    }),
  ]);
}

const usage = (inputTokens: number): Partial<Usage> => ({ inputTokens });
/** A turn that asks for one more result, and what the API counted for its request. */
const turn = (counted: number): ScriptedStep => ({ calls: [{ name: "s__get" }], usage: usage(counted) });
const tooLong = () =>
  new HostError("model_rejected", "prompt is too long", { data: { reason: "context_exceeded" } });

const compactions = (events: readonly RunEvent[]) =>
  events.filter(({ type }) => type === "context_compacted");

/** The results in a request, by the beginning of their texts. */
function resultsIn(messages: readonly Message[] = []): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? [textOf(block).slice(0, 8)] : [])),
  );
}

test("earlier results are left out before a request passes the window, the newest stays, the transcript keeps all", async () => {
  const steps = [turn(100), turn(5_100), turn(10_100), turn(5_200), { text: "done" }];
  const { model, events, result } = await runScript(steps, {
    servers: { s: server() },
    limits: { contextTokens: 18_000 },
  });
  expect(result.stop).toEqual({ type: "answered" });
  expect(compactions(events)).toMatchObject([{ turn: 4, results: 2 }]);
  expect(resultsIn(model.requests[2]?.messages)).toEqual(["result 1", "result 2"]);
  expect(resultsIn(model.requests[3]?.messages)).toEqual(["[This ea", "[This ea", "result 3"]);
  expect(resultsIn(result.messages)).toEqual(["result 1", "result 2", "result 3", "result 4"]);
});

test("what was left out is not counted for the limit of tokens", async () => {
  const steps = [turn(100), turn(5_100), turn(10_100), { text: "done" }];
  const { events, result } = await runScript(steps, {
    servers: { s: server() },
    limits: { contextTokens: 18_000, tokens: 25_000 },
  });
  expect(compactions(events)).toHaveLength(1);
  expect(result.stop).toEqual({ type: "answered" });
});

test("little is not left out as long as the request may fit: the prefix would be written anew for nothing", async () => {
  const small = fakeServer([textTool("get", () => "word ".repeat(1_000))]);
  const { events } = await runScript([turn(100), turn(29_500), { text: "done" }], {
    servers: { s: small },
    limits: { contextTokens: 40_000 },
  });
  expect(compactions(events)).toEqual([]);
});

test("the model can read what was left out", async () => {
  let id = "";
  const steps: ScriptedStep[] = [
    turn(100),
    turn(16_000),
    ({ messages }) => {
      const stub = messages.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === "tool_result" ? [textOf(block)] : [])),
      );
      expect(stub[0]).toContain("20,009 bytes of text kept");
      id = /"id":"(?<id>[^"]+)"/.exec(stub[0] ?? "")?.groups?.id ?? "";
      return { calls: [{ name: "drawbridge__read_output", input: { id, search: "result 1" } }] };
    },
    { text: "done" },
  ];
  const { results } = await runScript(steps, { servers: { s: server() }, limits: { contextTokens: 20_000 } });
  expect(textOf(results(2)[0])).toContain("result 1 word");
});

test("room is made in large steps: between two of them the messages in front stay the same", async () => {
  const many = Array.from(
    { length: 16 },
    (): ScriptedStep => ({ calls: [{ name: "s__get" }], usage: usage(0) }),
  );
  const { model, events } = await runScript([...many, { text: "done" }], {
    servers: { s: server() },
    limits: { contextTokens: 40_000, turns: 20 },
  });
  const made = compactions(events);
  expect(made.length).toBeGreaterThan(1);
  expect(made.length).toBeLessThan(7);
  const changed = model.requests.filter(({ messages }, index) => {
    const before = model.requests[index - 1]?.messages ?? [];
    return JSON.stringify(messages.slice(0, before.length)) !== JSON.stringify(before);
  });
  expect(changed.length).toBe(made.length);
});

test("when the model says that the conversation is too long, room is made once and it is asked again", async () => {
  const steps = [turn(0), turn(0), tooLong(), { text: "done" }];
  const { model, events, result } = await runScript(steps, { servers: { s: server() } });
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "done", turns: 3 });
  expect(compactions(events)).toMatchObject([{ turn: 3, results: 1 }]);
  expect(events.find(({ type }) => type === "turn_revoked")).toMatchObject({
    turn: 3,
    reason: "the conversation is too long for the model",
  });
  expect(resultsIn(model.requests[3]?.messages)).toEqual(["[This ea", "result 2"]);
});

test("what fitted no more is remembered where nobody knows the model's window", async () => {
  const steps = [turn(0), turn(0), tooLong(), turn(0), turn(0), { text: "done" }];
  const { model, events } = await runScript(steps, { servers: { s: server() } });
  model.assertDone();
  expect(compactions(events).length).toBeGreaterThan(1);
});

test("a conversation that is still too long ends as truncated; one with nothing to leave out with the API's own words", async () => {
  const twice = await runScript([turn(0), turn(0), tooLong(), tooLong()], { servers: { s: server() } });
  expect(twice.result.stop).toEqual({ type: "truncated" });
  expect(twice.events.filter(({ type }) => type === "warning")).toMatchObject([{ code: "context_exceeded" }]);
  expect(resultsIn(twice.result.messages)).toEqual(["result 1", "result 2"]);
  const nothing = await runScript([tooLong()]);
  expect(nothing.result.stop).toMatchObject({ type: "failed", error: { message: "prompt is too long" } });
});

test("new results that do not fit are left out as well, the largest first, so that no conversation is stuck for good", async () => {
  const refused = await runScript([turn(0), tooLong(), { text: "done" }], { servers: { s: server() } });
  expect(refused.result.stop).toEqual({ type: "answered" });
  expect(resultsIn(refused.model.requests[2]?.messages)).toEqual(["[This re"]);
  expect(resultsIn(refused.result.messages)).toEqual(["result 1"]);
  const sized = fakeServer([textTool("size", ({ words }) => `${words} ${"word ".repeat(Number(words))}`)]);
  const call = (words: number) => ({ name: "s__size", input: { words } });
  const three: ScriptedStep = { calls: [call(3_000), call(6_000), call(2_000)], usage: usage(100) };
  const { model, events } = await runScript([three, { text: "done" }], {
    servers: { s: sized },
    limits: { contextTokens: 12_000 },
  });
  expect(resultsIn(model.requests[1]?.messages)).toEqual(["3000 wor", "[This re", "2000 wor"]);
  expect(compactions(events)).toMatchObject([{ turn: 2, results: 1 }]);
});

test("new results stay where a request is too large without them, too", async () => {
  const { model } = await runScript([turn(9_000), { text: "done" }], {
    servers: { s: server() },
    limits: { contextTokens: 5_000 },
  });
  expect(resultsIn(model.requests[1]?.messages)).toEqual(["result 1"]);
});

test("an answer that the window cut off is asked for again with more room, and its tokens count", async () => {
  const cut: ScriptedStep = { text: "half an ans", stopReason: "context_window_exceeded", usage: usage(900) };
  const { result, events } = await runScript([turn(0), turn(0), cut, { text: "whole", usage: usage(50) }], {
    servers: { s: server() },
  });
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "whole" });
  expect(result.usage.inputTokens).toBe(950);
  expect(JSON.stringify(result.messages)).not.toContain("half an ans");
  expect(compactions(events).length).toBe(1);
  const alone = await runScript([cut]);
  expect(alone.result.stop).toEqual({ type: "truncated" });
});

test("a request that would surely pass the limit of tokens is not sent", async () => {
  const steps = [turn(5_000), { text: "never asked" }];
  const { model, result } = await runScript(steps, { servers: { s: server() }, limits: { tokens: 11_000 } });
  expect(result.stop).toEqual({ type: "budget", budget: "tokens", limit: 11_000 });
  expect(model.requests.length).toBe(1);
  expect(result.turns).toBe(1);
});
