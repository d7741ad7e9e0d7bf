import { expect, test } from "vitest";
import { createContentBuilder } from "./content.ts";
import { createRequestEncoder } from "./request.ts";

const request = createRequestEncoder("claude-opus-5")({
  system: "",
  snapshot: { version: 1, tools: [], byAlias: new Map(), quarantined: [] },
  messages: [],
  maxTokens: 1,
  signal: new AbortController().signal,
});

/** The block as it is sent back, once the deltas were applied to it. */
function sentBack(start: object, ...deltas: object[]): unknown {
  const content = createContentBuilder(request);
  content.start(0, start);
  for (const delta of deltas) content.delta(0, delta);
  return JSON.parse(content.finish("claude-opus-5").native?.json ?? "null");
}

test("a delta of an unknown kind gives no field to a block of a known type, for the API would refuse it", () => {
  const later = { type: "later_delta", zz: 1, note: "x", __proto__: null };
  expect(sentBack({ type: "text", text: "" }, { type: "text_delta", text: "Hi" }, later)).toEqual([
    { type: "text", text: "Hi" },
  ]);
  expect(sentBack({ type: "thinking", thinking: "Hm", signature: "s" }, later)).toEqual([
    { type: "thinking", thinking: "Hm", signature: "s" },
  ]);
  expect(sentBack({ type: "tool_use", id: "toolu_1", name: "a", input: {} }, later)).toEqual([
    { type: "tool_use", id: "toolu_1", name: "a", input: {} },
  ]);
});

test("a delta of an unknown kind completes a block of an unknown type", () => {
  const delta = { type: "later_delta", text: "Hi", extra: { n: 1 } };
  expect(sentBack({ type: "later", text: null }, delta)).toEqual([
    { type: "later", text: "Hi", extra: { n: 1 } },
  ]);
});

test("a text of white space alone is not sent back, for the API would refuse it", () => {
  for (const text of ["", "\n\n", " \u00a0\t"]) expect(sentBack({ type: "text", text })).toEqual([]);
});

test("a delta of another type's gives no field to a block of a known type", () => {
  const text = { type: "text_delta", text: "Hi" };
  const json = { type: "input_json_delta", partial_json: "{" };
  const signature = { type: "signature_delta", signature: "x" };
  expect(sentBack({ type: "text", text: "" }, text, json, signature)).toEqual([{ type: "text", text: "Hi" }]);
  const call = { type: "tool_use", id: "toolu_1", name: "a", input: {} };
  expect(sentBack(call, text, signature)).toEqual([call]);
  const thought = { type: "thinking", thinking: "Hm", signature: "s" };
  expect(sentBack(thought, text, json)).toEqual([thought]);
});
