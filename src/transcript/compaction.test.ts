import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message, ToolResultBlock } from "../types/message.ts";
import {
  createCompactedMessages,
  firstResults,
  leftOutText,
  oldResults,
  textOfResult,
} from "./compaction.ts";

const bytes = (block: ToolResultBlock): number => textOfResult(block).length + 10;

/** Turns of a conversation: how many bytes each of their results has. */
const turns = fc.array(
  fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 4 }),
    isError: fc.boolean(),
    image: fc.boolean(),
    question: fc.boolean(),
  }),
  { maxLength: 12 },
);

type Turn = typeof turns extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

function messagesOf(given: readonly Turn[]): Message[] {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "x".repeat(5_000) }] }];
  for (const [turn, { sizes, isError, image, question }] of given.entries()) {
    const ids = sizes.map((_, index) => `call_${turn}_${index}`);
    messages.push({
      role: "assistant",
      content: [
        { type: "text", text: "y".repeat(2_000) },
        ...ids.map((id) => ({ type: "tool_call" as const, id, name: "t", input: "{}" })),
      ],
    });
    const results = sizes.map((size, index): ToolResultBlock => {
      const picture = { type: "image", mediaType: "image/png", data: "aaaa" } as const;
      const text = { type: "text", text: "z".repeat(size) } as const;
      return {
        type: "tool_result",
        callId: ids[index] ?? "",
        isError,
        content: image && !isError ? [text, picture] : [text],
      };
    });
    const more = question || results.length === 0 ? [{ type: "text" as const, text: "and?" }] : [];
    messages.push({ role: "user", content: [...results, ...more] });
  }
  return messages;
}

const resultIds = (message: Message | undefined): string[] =>
  (message?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block.callId] : []));

/** Leaves out the oldest results until so many bytes are gone, and says which. */
function compact(messages: readonly Message[], toFree: number) {
  const compacted = createCompactedMessages();
  const taken = firstResults(oldResults(compacted.view(messages)), toFree, bytes);
  compacted.leaveOut(taken.map((block) => ({ callId: block.callId, text: leftOutText(block, "kept: id") })));
  return { compacted, taken: taken.map(({ callId }) => callId), view: compacted.view(messages) };
}

test("for any conversation every call keeps its one result in its place, and only old results become texts", () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 0, max: 40_000 }), (given, toFree) => {
      const messages = messagesOf(given);
      const { view, taken } = compact(messages, toFree);
      expect(view.length).toBe(messages.length);
      const newest = messages.findLastIndex((message) => resultIds(message).length > 0);
      for (const [index, message] of messages.entries()) {
        const seen = view[index];
        expect(resultIds(seen)).toEqual(resultIds(message));
        const untouched = message.role === "assistant" || index >= newest;
        if (untouched) expect(seen).toBe(message);
        for (const [at, block] of message.content.entries()) {
          const now = seen?.content[at];
          if (block.type === "tool_result" && taken.includes(block.callId)) {
            expect(now).toMatchObject({ type: "tool_result", callId: block.callId, isError: block.isError });
            expect((now as ToolResultBlock).content.map(({ type }) => type)).toEqual(["text"]);
          } else expect(now).toBe(block);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("more room means the same results and some behind them, and what was left out is never left out again", () => {
  fc.assert(
    fc.property(turns, fc.nat(40_000), fc.nat(40_000), (given, one, other) => {
      const messages = messagesOf(given);
      const [little, much] = [Math.min(one, other), Math.max(one, other)];
      const first = compact(messages, little);
      const second = compact(messages, much);
      expect(second.taken.slice(0, first.taken.length)).toEqual(first.taken);
      const left = oldResults(second.view).map(({ callId }) => callId);
      expect(left.filter((callId) => second.taken.includes(callId))).toEqual([]);
      // Everything: nothing is left to leave out.
      expect(oldResults(compact(messages, Number.POSITIVE_INFINITY).view)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("between two times that room is made, the messages that were given out stay the same objects", () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 1, max: 40_000 }), fc.nat(12), (given, toFree, count) => {
      const messages = messagesOf(given);
      const { compacted } = compact(messages, toFree);
      const early = [...compacted.view(messages.slice(0, count + 1))];
      expect(compacted.view(messages).slice(0, early.length)).toEqual(early);
      const view = [...compacted.view(messages)];
      const more = [...messages, { role: "user" as const, content: [] }];
      for (const [index, message] of view.entries()) expect(compacted.view(more)[index]).toBe(message);
    }),
    { numRuns: 50 },
  );
});

test("what stands for a result says how large it was and how it can be read", () => {
  const picture = { type: "image", mediaType: "image/png", data: "aaaa" } as const;
  const block: ToolResultBlock = {
    type: "tool_result",
    callId: "c",
    isError: false,
    content: [{ type: "text", text: "é".repeat(1_000) }, picture, picture],
  };
  expect(leftOutText(block, 'kept: read it with t {"id":"1"}')).toBe(
    "[This earlier result was left out, to make room in the conversation. 2,000 bytes of text kept: read it with " +
      't {"id":"1"}. 2 images of it cannot be seen any more.]',
  );
  expect(leftOutText({ ...block, content: [picture] }, null)).toBe(
    "[This earlier result was left out, to make room in the conversation. An image of it cannot be seen any more.]",
  );
});
