import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestEncoder } from "../../../src/models/anthropic/request.ts";
import { validateMessagesRequest } from "../../../src/testing/anthropic/validate.ts";
import type { JsonObject } from "../../../src/types/json.ts";
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  UserMessage,
} from "../../../src/types/message.ts";
import type { ModelRequest } from "../../../src/types/model.ts";
import { catalogTool, requestOf, snapshotOf, userText } from "./requests.ts";

const model = "claude-opus-5";

function bodyText(request: ModelRequest, encode = createRequestEncoder(model)): string {
  return Buffer.concat(encode(request).chunks).toString("utf8");
}

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const oddText = fc.oneof(
  fc.constantFrom("", " ", "\n", "plain", "\ud800", "\\ud800", "น้ำ 🙂", '"}]}', "\u0000\u2028"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const text: fc.Arbitrary<TextBlock> = oddText.map((value) => ({ type: "text", text: value }));
const image: fc.Arbitrary<ImageBlock> = fc.constant({ type: "image", mediaType: "image/png", data: png });
const blocks = fc.array(fc.oneof(text, image), { maxLength: 3 });

/** A turn of the assistant and the message that answers its calls, with ids from anywhere. */
const exchange = fc
  .record({
    words: fc.array(text, { maxLength: 2 }),
    calls: fc.array(
      fc.record({ id: oddText, name: oddText, input: oddText, error: fc.boolean(), content: blocks }),
      {
        maxLength: 3,
      },
    ),
    others: blocks,
    native: fc.boolean(),
  })
  .map(({ words, calls, others, native }): ((turn: number) => Message[]) => (turn) => {
    const ids = calls.map(({ id }, index) => `${id}${turn}-${index}`);
    const assistant: AssistantMessage = {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm" },
        ...words,
        ...calls.map(({ name, input }, index) => ({
          type: "tool_call" as const,
          id: ids[index] ?? "",
          name,
          input,
        })),
      ],
      ...(native && calls.length === 0
        ? { native: { api: "anthropic", model, json: '[{"type":"future"}]' } }
        : {}),
    };
    const user: UserMessage = {
      role: "user",
      content: [
        ...others,
        ...calls.map(({ error, content }, index) => ({
          type: "tool_result" as const,
          callId: ids[index] ?? "",
          isError: error,
          content,
        })),
      ],
    };
    return [assistant, user, userText("and then")];
  });

const property = fc.constantFrom("a", "a b", "__proto__", "日付", "$x", "");
const schema = fc.record({
  type: fc.constantFrom("object", "string"),
  properties: fc.dictionary(
    property,
    fc.constantFrom<JsonObject>({ type: "string" }, { type: "file" }, { items: [{}] }),
  ),
  required: fc.constantFrom<never>(...([["a"], true, "a"] as never[])),
  anyOf: fc.constantFrom<never>(...([[], [{ required: ["a"] }], {}] as never[])),
}) as fc.Arbitrary<JsonObject>;

test("no conversation and no tool makes a request that the API refuses", () => {
  fc.assert(
    fc.property(
      fc.array(exchange, { maxLength: 4 }),
      fc.array(fc.record({ schema, description: oddText }), { maxLength: 4 }),
      oddText,
      (exchanges, definitions, system) => {
        const tools = definitions.map(({ schema: inputSchema, description }, index) => {
          const tool = catalogTool(`t${index}`, inputSchema);
          return { ...tool, definition: { ...tool.definition, description } };
        });
        const messages = [userText("start"), ...exchanges.flatMap((make, turn) => make(turn))];
        const body = bodyText(requestOf(messages, { system, snapshot: snapshotOf(...tools) }));
        expect(validateMessagesRequest(JSON.parse(body))).toBeNull();
        expect(/(?<!\\)(\\\\)*\\ud[89a-f]/i.test(body)).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});

test("a turn costs what is new in it: old bytes are not made again, and the prefix does not change", () => {
  const encode = createRequestEncoder(model);
  const messages: Message[] = [];
  const seen = new Set<ArrayBufferLike>();
  let made = 0;
  let before = "";
  const turns = 256;
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(userText(`question ${turn}`));
    const { chunks } = encode(requestOf(messages, { snapshot: snapshotOf() }));
    for (const { buffer } of chunks) {
      if (!seen.has(buffer)) made += buffer.byteLength;
      seen.add(buffer);
    }
    messages.push({ role: "assistant", content: [{ type: "text", text: `answer ${turn}` }] });
    const body = Buffer.concat(chunks).toString().replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    expect(body.startsWith(before)).toBe(true);
    before = body.slice(0, -"]}".length);
    expect(chunks.length).toBeLessThan(30);
  }
  // Each byte is made once and copied at most once per doubling; sending everything anew would make 128 times as much.
  expect(made / before.length).toBeLessThan(Math.log2(turns) + 4);
});

test("whatever the order of conversations, grown, forked or rewritten, each is encoded as it is", () => {
  const pool: Message[] = Array.from({ length: 6 }, (_, index) =>
    index % 2 === 0
      ? userText(`u${index}`)
      : { role: "assistant", content: [{ type: "text", text: `a${index}` }] },
  );
  const conversation = fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 8 });
  const grown = conversation.chain((all) => fc.subarray(all.map((_, index) => all.slice(0, index + 1))));
  fc.assert(
    fc.property(fc.array(grown, { maxLength: 4 }), (conversations) => {
      const encode = createRequestEncoder(model);
      for (const messages of conversations.flat()) {
        const request = requestOf(messages);
        expect(bodyText(request, encode)).toBe(bodyText(request));
      }
    }),
  );
});

test("breakpoints are on the last tool and on the last block of the two newest user messages", () => {
  const messages: Message[] = [
    userText("one"),
    { role: "assistant", content: [{ type: "text", text: "a" }] },
    userText("two"),
    { role: "assistant", content: [{ type: "text", text: "b" }] },
    {
      role: "user",
      content: [
        { type: "text", text: "three" },
        { type: "image", mediaType: "image/png", data: png },
      ],
    },
  ];
  const snapshot = snapshotOf(catalogTool("a", {}), catalogTool("b", {}));
  const body = JSON.parse(bodyText(requestOf(messages, { snapshot }))) as {
    tools: object[];
    messages: { content: object[] }[];
  };
  const mark = { cache_control: { type: "ephemeral" } };
  expect(body.tools.map((tool) => "cache_control" in tool)).toEqual([false, true]);
  expect(body.messages.map(({ content }) => content.map((block) => "cache_control" in block))).toEqual([
    [false],
    [false],
    [true],
    [false],
    [false, true],
  ]);
  expect(body.messages[4]?.content[1]).toMatchObject(mark);
});

test("neither an empty system text nor an empty list of tools is sent", () => {
  const body = JSON.parse(bodyText(requestOf([userText("x")], { system: " ", snapshot: snapshotOf() })));
  expect(body).toEqual({
    model,
    max_tokens: 1000,
    stream: true,
    messages: [
      { role: "user", content: [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }] },
    ],
  });
});

test("an error without text gets one, and its pictures go behind the last result", () => {
  const messages: Message[] = [
    userText("x"),
    {
      role: "assistant",
      content: [
        { type: "tool_call", id: "a", name: "t", input: "{}" },
        { type: "tool_call", id: "b", name: "t", input: "{}" },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          callId: "a",
          isError: true,
          content: [{ type: "image", mediaType: "image/png", data: png }],
        },
        { type: "text", text: "between" },
        { type: "tool_result", callId: "b", isError: false, content: [] },
      ],
    },
  ];
  const body = JSON.parse(bodyText(requestOf(messages))) as { messages: { content: object[] }[] };
  expect(validateMessagesRequest(body)).toBeNull();
  expect(body.messages[2]?.content).toMatchObject([
    {
      tool_use_id: "a",
      is_error: true,
      content: [{ type: "text", text: "The tool failed and gave no reason." }],
    },
    { tool_use_id: "b" },
    { type: "image" },
    { type: "text", text: "between" },
  ]);
});
