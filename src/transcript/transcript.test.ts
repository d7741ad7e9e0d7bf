import fc from "fast-check";
import { expect, test } from "vitest";
import type { Journal, JournalRecord } from "../types/journal.ts";
import type { AssistantMessage, Message, UserMessage } from "../types/message.ts";
import { callsOf } from "./call-ids.ts";
import { repairMessages } from "./repair.ts";
import { createConversationMessages } from "./transcript.ts";

const says = (text: string): UserMessage => ({ role: "user", content: [{ type: "text", text }] });
const calls = (...ids: string[]): AssistantMessage => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_call", id, name: "s__t", input: "{}" })),
});
const answers = (...ids: string[]): UserMessage => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", callId: id, content: [], isError: false })),
});

function memoryJournal(): Journal & { readonly records: JournalRecord[] } {
  const records: JournalRecord[] = [];
  return { id: "j", records, append: async (record) => void records.push(record), close: async () => {} };
}

test("a message is in the transcript and in the journal once it was appended, earlier ones before it", async () => {
  const conversation = createConversationMessages([says("earlier")]);
  const journal = memoryJournal();
  conversation.forRun("r1", journal).append(says("one"));
  conversation.forRun("r2", journal).append(says("two"));
  expect(conversation.messages).toHaveLength(3);
  expect(journal.records.map((record) => "message" in record && record.message)).toEqual(
    conversation.messages,
  );
});

test("call ids that were used before are minted anew, and the turn is then no longer the provider's own", async () => {
  const conversation = createConversationMessages([calls("a"), answers("a")]);
  const native = { api: "x", model: "y", json: "[]" };
  const stored = conversation.forRun("r", null).append({ ...calls("a", "b", "b", ""), native });
  expect(callsOf(stored).map((call) => call.id)).toEqual(["a_2", "b", "b_2", "call_2"]);
  expect(stored.native).toBeUndefined();
});

test("a turn with ids of its own stays as it came, native form included", async () => {
  const message = { ...calls("a"), native: { api: "x", model: "y", json: "[]" } };
  expect(createConversationMessages().forRun("r", null).append(message)).toEqual(message);
});

test("what was appended cannot be changed any more", async () => {
  const stored = createConversationMessages().forRun("r", null).append(says("one"));
  expect(Object.isFrozen(stored.content[0])).toBe(true);
});

test("a call that was never answered gets a result that says so, before what the person said next", () => {
  const repaired = repairMessages([says("go"), calls("a", "b"), says("what happened?")]);
  expect(repaired[2]?.content).toMatchObject([
    { type: "tool_result", callId: "a", isError: true },
    { type: "tool_result", callId: "b", isError: true },
    { type: "text", text: "what happened?" },
  ]);
});

test("a transcript that ends in open calls is closed, and a valid one is left as it is", () => {
  expect(repairMessages([says("go"), calls("a")]).at(-1)?.content).toMatchObject([{ callId: "a" }]);
  const valid = [says("go"), calls("a"), answers("a"), says("more")];
  const repaired = repairMessages(valid);
  expect(repaired).toEqual(valid);
  expect(repaired.every((message, index) => message === valid[index])).toBe(true);
});

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.string().map(says),
  fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }).map((ids) => calls(...new Set(ids))),
  fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 }).map((ids) => answers(...ids)),
  fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }).map((ids) => {
    return { role: "user" as const, content: [...says("text").content, ...answers(...ids).content] };
  }),
);

test("whatever is stored, every call has exactly one result right behind it and no result is without its call", () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (stored) => {
      const repaired = repairMessages(stored);
      repaired.forEach((message, index) => {
        expect(message.content.length).toBeGreaterThan(0);
        const open = callsOf(message).map((call) => call.id);
        const next = repaired[index + 1]?.content ?? [];
        const results = next.flatMap((block) => (block.type === "tool_result" ? [block.callId] : []));
        if (message.role === "assistant") expect(results).toEqual(open);
        if (index === 0 || repaired[index - 1]?.role === "user") {
          expect(message.content.some((block) => block.type === "tool_result")).toBe(false);
        }
      });
    }),
  );
});

test("a conversation whose beginning was cut off starts with a word of the person's", () => {
  const messages = [says("one"), calls("a"), answers("a"), calls("b"), answers("b")];
  for (let from = 1; from < messages.length - 1; from += 1) {
    const [first, ...others] = createConversationMessages(messages.slice(from)).messages;
    expect(first?.role).toBe("user");
    expect(others.filter((message) => message.role === "assistant")).toEqual(
      messages.slice(from).filter((message) => message.role === "assistant"),
    );
  }
});
