import { expect, test } from "vitest";
import { makeSnapshot, makeTool } from "../../test/support/tools.ts";
import type { Message } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { createToolOffers } from "./offered-tools.ts";
import { searchTools } from "./search-tools.ts";

const signal = new AbortController().signal;
const finders = searchTools.tools.map(({ name }) => makeTool({ server: "drawbridge", name }));

/** A snapshot as a catalog makes it: the two finders can be named, and are in no list. */
function snapshotOf(...names: readonly string[]): ToolSnapshot {
  const tools = names.map((name) => makeTool({ server: "s", name }));
  return { ...makeSnapshot(tools), byAlias: makeSnapshot([...finders, ...tools]).byAlias };
}

const question = (): Message => ({ role: "user", content: [{ type: "text", text: "go" }] });
const called = (name: string, input = "{}"): Message => ({
  role: "assistant",
  content: [{ type: "tool_call", id: "1", name, input }],
});

/** A model that takes so many tools, and what it got in each request. */
function modelOf(most: number, name = "m", offline = false) {
  const got: (readonly string[])[] = [];
  const snapshots: ToolSnapshot[] = [];
  const model: Model = {
    api: "test",
    name,
    capabilities: { toolResultImages: false, offline },
    leftOut: ({ tools }) => tools.slice(most).map(({ route }) => ({ ...route, reason: "full" })),
    async *stream({ snapshot }) {
      got.push(snapshot.tools.map(({ route }) => route.tool));
      snapshots.push(snapshot);
    },
  };
  const ask = async (asked: Model, snapshot: ToolSnapshot, messages: readonly Message[]): Promise<void> => {
    for await (const _ of asked.stream({ system: "", snapshot, messages, maxTokens: 1, signal }));
  };
  return { model, got, snapshots, ask };
}

const finderNames = ["search_tools", "call_tool"];

test("a conversation keeps what it was offered, whatever it uses, and gets the very same list each turn", async () => {
  const { model, got, snapshots, ask } = modelOf(4);
  const offered = createToolOffers(0)(model);
  const snapshot = snapshotOf("a", "b", "c", "d", "e");
  const first = question();
  await ask(offered, snapshot, [first]);
  await ask(offered, snapshot, [first, called("s__e"), question()]);
  expect(got).toEqual([
    [...finderNames, "a", "b"],
    [...finderNames, "a", "b"],
  ]);
  expect(snapshots[1]).toBe(snapshots[0]);
  expect(offered.behindSearch?.(snapshot, [first])?.tools.map(({ route }) => route.tool)).toEqual([
    "c",
    "d",
    "e",
  ]);
});

test("a conversation that goes on with another model, or later, is offered what it used", async () => {
  const { model, got, ask } = modelOf(4);
  const offered = createToolOffers(0)(model);
  const snapshot = snapshotOf("a", "b", "c", "d", "e");
  const wrapped = called("drawbridge__call_tool", '{"name":"s__d","arguments":{}}');
  await ask(offered, snapshot, [question(), called("s__e"), wrapped, called("drawbridge__call_tool", "{")]);
  expect(got).toEqual([[...finderNames, "d", "e"]]);
});

test("another model of smaller room gets a selection of its own, and the first one keeps its own", async () => {
  const offer = createToolOffers(0);
  const [large, small] = [modelOf(10, "large"), modelOf(3, "small")];
  const snapshot = snapshotOf("a", "b", "c");
  const messages = [question()];
  await large.ask(offer(large.model), snapshot, messages);
  await small.ask(offer(small.model), snapshotOf("a", "b", "c", "d"), messages);
  await large.ask(offer(large.model), snapshot, messages);
  expect(large.got).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  expect(large.snapshots[1]).toBe(snapshot);
  expect(small.got).toEqual([[...finderNames, "a"]]);
});

test("when tools come in the middle, what the conversation was offered stays in front", async () => {
  const { model, got, ask } = modelOf(6);
  const offered = createToolOffers(0)(model);
  const first = question();
  await ask(offered, snapshotOf("m", "n", "o"), [first]);
  await ask(offered, snapshotOf("m", "n", "o", "a", "b", "c", "d"), [first]);
  await ask(offered, snapshotOf("m", "n", "o", "a", "b", "c", "d", "e"), [first]);
  expect(got).toEqual([
    ["m", "n", "o"],
    ["m", "n", "o", ...finderNames, "a"],
    ["m", "n", "o", ...finderNames, "a"],
  ]);
});

test("a model is changed once, and one that reads every tool or has room for any number not at all", () => {
  const offer = createToolOffers(0);
  const { model } = modelOf(4);
  expect(offer(model)).toBe(offer(model));
  expect(offer(offer(model))).toBe(offer(model));
  expect(offer(modelOf(4, "m", true).model).behindSearch).toBeUndefined();
  const { leftOut: _, ...roomy } = model;
  expect(offer(roomy)).toBe(roomy);
  expect(createToolOffers(9)(roomy)).not.toBe(roomy);
});

test("an API's own counter counts what is offered", async () => {
  const { model } = modelOf(4);
  const counting: Model = { ...model, countTokens: async ({ snapshot }) => snapshot.tools.length };
  const offered = createToolOffers(0)(counting);
  const request = {
    system: "",
    snapshot: snapshotOf("a", "b", "c", "d", "e"),
    messages: [question()],
    maxTokens: 1,
    signal,
  };
  expect(await offered.countTokens?.(request)).toBe(4);
});
