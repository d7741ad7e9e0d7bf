import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message, UserMessage } from "../../types/message.ts";
import { isObject } from "../../util/own.ts";
import type { Culprit } from "../repair.ts";
import { blame } from "./blame.ts";
import { createRequestEncoder } from "./request.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("a", "b", " ", "") });
const image = fc.record({
  type: fc.constant("image" as const),
  mediaType: fc.constant("image/png" as const),
  data: fc.constantFrom(png, ""),
});
const result = fc.record({
  type: fc.constant("tool_result" as const),
  callId: fc.constantFrom("c1", "c2"),
  content: fc.array(fc.oneof(text, image), { maxLength: 4 }),
  isError: fc.boolean(),
});
const user: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant("user" as const),
  content: fc.array(fc.oneof(text, image, result), { maxLength: 5 }),
});
const assistant: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("assistant" as const),
  content: fc.array(text, { maxLength: 3 }),
});

/** What stands at a place of the host's messages: the type and the text, or the call that it answers. */
function found(messages: readonly Message[], culprit: Culprit | undefined): unknown {
  if (culprit?.type !== "block") return culprit;
  const block = messages[culprit.message]?.content[culprit.block];
  if (block?.type !== "tool_result") return block?.type === "text" ? block.text : block?.type;
  const part = culprit.part === null ? null : block.content[culprit.part];
  if (part === null) return block.callId;
  return part?.type === "text" ? part.text : part?.type;
}

function sent(block: Record<string, unknown>): unknown {
  if (block.type === "tool_result") return block.tool_use_id;
  return block.type === "text" ? block.text : block.type;
}

const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

test("every place of a request leads back to the block that was sent there", () => {
  const encode = createRequestEncoder("m");
  fc.assert(
    fc.property(fc.array(fc.oneof(user, assistant), { minLength: 1, maxLength: 4 }), (messages) => {
      const snapshot = { version: 1, tools: [], byAlias: new Map(), quarantined: [] };
      const { signal } = new AbortController();
      const request = { system: "", snapshot, messages, maxTokens: 1, signal };
      const { chunks, tools } = encode(request);
      const body = JSON.parse(chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")) as object;
      const lookUp = (path: string): unknown => {
        const error = { error: { message: `${path}: wrong` } };
        return found(messages, blame(error, request, tools, "m")[0]);
      };
      for (const [index, message] of objects((body as { messages: unknown }).messages).entries()) {
        for (const [place, block] of objects(message.content).entries()) {
          const path = `messages.${index}.content.${place}`;
          expect(lookUp(path)).toBe(sent(block));
          for (const [inner, part] of objects(block.content).entries()) {
            if (String(part.text).includes("gave no reason")) continue;
            expect(lookUp(`${path}.tool_result.content.${inner}.text`)).toBe(sent(part));
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("what is no error of the API blames nothing", () => {
  const request = {
    system: "",
    snapshot: { version: 1, tools: [], byAlias: new Map(), quarantined: [] },
    messages: [],
    maxTokens: 1,
    signal: new AbortController().signal,
  };
  const { tools } = createRequestEncoder("m")(request);
  for (const body of [
    null,
    "x",
    [],
    {},
    { error: 3 },
    { error: { message: 3 } },
    { error: { details: { paths: [3] } } },
  ]) {
    expect(blame(body, request, tools, "m")).toEqual([]);
  }
});
