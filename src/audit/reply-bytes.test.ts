import { expect, test } from "vitest";
import type { Json } from "../types/json.ts";
import type { CallReply, ServerBlock } from "../types/outcome.ts";
import { replyBytes } from "./reply-bytes.ts";

const reply = (content: readonly ServerBlock[], structuredContent?: Json): CallReply => ({
  content,
  isError: false,
  repairs: [],
  ...(structuredContent === undefined ? {} : { structuredContent }),
});

test.each<[number, ServerBlock]>([
  [6, { type: "text", text: "žluť" }],
  [4, { type: "image", data: "AAAA", mimeType: "image/png" }],
  [8, { type: "audio", data: "AAAAAAAA", mimeType: "audio/wav" }],
  [3, { type: "resource_link", uri: "a:1", name: "not counted" }],
  [5, { type: "resource_link", uri: "a:1", description: "ab" }],
  [3, { type: "resource", uri: "a:1" }],
  [7, { type: "resource", uri: "a:1", text: "žž" }],
  [7, { type: "resource", uri: "a:1", blob: "AAAA" }],
  [4, { type: "unknown", kind: "x", summary: "what" }],
])("%i bytes are in the block %j", (bytes, block) => {
  expect(replyBytes(reply([block]))).toBe(bytes);
});

test.each<[number, Json]>([
  [0, []],
  [0, {}],
  [4, "žž"],
  [3, 123],
  [4, true],
  [4, null],
  [5, [1, "ab", [2, [3]]]],
  [6, { a: "bc", d: { e: 1 } }],
])("%i bytes are in the structured content %j", (bytes, json) => {
  expect(replyBytes(reply([], json))).toBe(bytes);
});

test("blocks and structured content add up", () => {
  const text = { type: "text", text: "abc" } as const;
  expect(replyBytes(reply([text, text], { a: 1 }))).toBe(8);
  expect(replyBytes(reply([]))).toBe(0);
});
