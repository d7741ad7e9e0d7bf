import fc from "fast-check";
import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { createRequestEncoder } from "../models/anthropic/request.ts";
import { validateMessagesRequest } from "../testing/anthropic/validate.ts";
import { scriptedModel } from "../testing/index.ts";
import { createConversationMessages } from "../transcript/transcript.ts";
import type { Message } from "../types/message.ts";
import { readStoredMessages } from "./stored-messages.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const json =
  '[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"n","input":{}},{"type":"tool_use","id":"b","name":"n","input":{}}]';
const whole: Message[] = [
  { role: "user", content: [{ type: "text", text: "go" }] },
  {
    role: "assistant",
    content: [
      { type: "thinking", text: "hm" },
      { type: "text", text: "x" },
      { type: "tool_call", id: "a", name: "n", input: "{}" },
      { type: "tool_call", id: "b", name: "n", input: "{}" },
    ],
    native: { api: "anthropic", model: "claude-opus-5", json },
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        callId: "a",
        isError: false,
        content: [{ type: "image", mediaType: "image/png", data: png }],
      },
      { type: "tool_result", callId: "b", isError: true, content: [{ type: "text", text: "bad" }] },
    ],
  },
  { role: "assistant", content: [{ type: "text", text: "done" }] },
];

test("messages that are whole stay the same objects", () => {
  const read = readStoredMessages(whole);
  expect(read.every((message, index) => message === whole[index])).toBe(true);
});

test.each([
  ["calls in a list of the message", '[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]}]'],
  [
    "calls as items of their own",
    '[{"type":"reasoning"},{"type":"function_call","call_id":"a"},{"type":"function_call","call_id":"b"}]',
  ],
])("the provider's own form stays with %s, as long as it names the same calls", (_name, native) => {
  const call = (id: string) => ({ type: "tool_call" as const, id, name: "n", input: "{}" });
  const turn = (...ids: string[]): Message => ({
    role: "assistant",
    content: ids.map(call),
    native: { api: "x", model: "y", json: native },
  });
  const [kept] = readStoredMessages([turn("a", "b")]);
  expect(kept).toMatchObject({ native: { json: native } });
  for (const ids of [["a"], ["b", "a"], ["a", "b", "c"]]) {
    expect(readStoredMessages([turn(...ids)])[0]).not.toHaveProperty("native");
  }
});

test("a text alone is a message, and an image is what its bytes are", () => {
  const image = { type: "image", mediaType: "image/jpeg", data: png };
  const stored = [
    { role: "user", content: "hi" },
    { role: "user", content: [image, { ...image, data: "!" }, { type: "text" }, null] },
    "hello",
  ];
  expect(readStoredMessages(stored)).toEqual([
    { role: "user", content: [{ type: "text", text: "hi" }] },
    {
      role: "user",
      content: [
        { ...image, mediaType: "image/png" },
        { type: "text", text: "[Image left out: image/jpeg: its data is not base64]" },
      ],
    },
  ]);
});

test("what is no list is refused as a whole", async () => {
  await using host = createHost({ servers: {}, model: scriptedModel([]), state: false, audit: false });
  expect(() => host.conversation({ transcript: "hi" as never })).toThrow(/transcript is no list/);
});

/** Every place of a value: the object that holds it, and its key. */
function places(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    [holder, key] as [typeof holder, string],
    ...places(holder[key]),
  ]);
}

const encode = createRequestEncoder("claude-opus-5");

test("whatever is lost or replaced in stored messages, the conversation goes on with a request that the API takes", () => {
  const change = fc.record({
    at: fc.nat(),
    value: fc.constantFrom<unknown>(
      undefined,
      null,
      5,
      "x",
      "",
      [],
      {},
      [null],
      { type: "text" },
      { type: "image" },
    ),
    twice: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const stored: unknown[] = structuredClone(whole);
      for (const { at, value, twice } of changes) {
        const all = places(stored);
        const [holder, key] = all[at % all.length] ?? [];
        if (holder === undefined || key === undefined) continue;
        if (twice && Array.isArray(holder))
          holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
        else holder[key] = structuredClone(value);
      }
      const { messages } = createConversationMessages(readStoredMessages(stored));
      const next: Message = { role: "user", content: [{ type: "text", text: "next" }] };
      const { chunks } = encode({
        system: "",
        snapshot: { version: 1, tools: [], byAlias: new Map(), quarantined: [] },
        messages: [...messages, next],
        maxTokens: 1,
        signal: new AbortController().signal,
      });
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      expect(body.messages[0].role).toBe("user");
      expect(validateMessagesRequest(body)).toBeNull();
    }),
    { numRuns: 1_500 },
  );
});
