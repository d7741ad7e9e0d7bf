import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import { createRequestEncoder } from "../../../src/models/openai-chat/request.ts";
import { validateChatRequest } from "../../../src/testing/openai-chat/validate.ts";
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  UserMessage,
} from "../../../src/types/message.ts";
import type { ModelRequest } from "../../../src/types/model.ts";
import { catalogTool, requestOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { wildSchema } from "../schemas.ts";
import { chatApis, kindOf } from "./start.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const oddText = fc.oneof(
  fc.constantFrom("", " ", "\n", "plain", "\ud800", "\\ud800", "น้ำ 🙂", '"}]}', "\u0000\u2028", "{}", "[1]"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const text: fc.Arbitrary<TextBlock> = oddText.map((value) => ({ type: "text", text: value }));
const image: fc.Arbitrary<ImageBlock> = fc.constantFrom(
  { type: "image", mediaType: "image/png", data: png },
  { type: "image", mediaType: "image/png", data: "" },
);
const blocks = fc.array(fc.oneof(text, image), { maxLength: 3 });

/** A turn of the assistant and the message that answers its calls, with ids from anywhere. */
const exchange = fc
  .record({
    words: fc.array(text, { maxLength: 2 }),
    calls: fc.array(
      fc.record({ id: oddText, name: oddText, input: oddText, error: fc.boolean(), content: blocks }),
      { maxLength: 3 },
    ),
    others: blocks,
    question: fc.boolean(),
  })
  .map(({ words, calls, others, question }): ((turn: number) => Message[]) => (turn) => {
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
    return question ? [assistant, user, userText("and then")] : [assistant, user];
  });

function bodyText(api: (typeof chatApis)[number], request: ModelRequest): string {
  const encoder = createRequestEncoder(chatProfiles[api], "gpt-5");
  return Buffer.concat(encoder.encode(request).chunks).toString("utf8");
}

describe.each(chatApis)("%s", (api) => {
  test("no conversation and no tool makes a request that the server refuses", () => {
    fc.assert(
      fc.property(
        fc.array(exchange, { maxLength: 4 }),
        fc.array(
          fc.record({ schema: wildSchema, description: fc.oneof(oddText, fc.constant("d".repeat(3_000))) }),
          {
            maxLength: 4,
          },
        ),
        oddText,
        (exchanges, definitions, system) => {
          const tools = definitions.map(({ schema, description }, index) => {
            const tool = catalogTool(`t${index}`, schema);
            return { ...tool, definition: { ...tool.definition, description } };
          });
          const messages = [userText("start"), ...exchanges.flatMap((make, turn) => make(turn))];
          const body = bodyText(api, requestOf(messages, { system, snapshot: snapshotOf(...tools) }));
          expect(validateChatRequest(JSON.parse(body), { kind: kindOf(api) })).toBeNull();
          expect(/(?<!\\)(\\\\)*\\ud[89a-f]/i.test(body)).toBe(false);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test("neither an empty system text nor an empty list of tools is sent", () => {
  const body = bodyText("llamacpp", requestOf([userText("x")], { system: " ", snapshot: snapshotOf() }));
  expect(JSON.parse(body)).toEqual({
    model: "gpt-5",
    max_tokens: 1000,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "x" }],
  });
});

test("a description that is too long goes on in the description of the parameters", () => {
  const tool = catalogTool("read", { type: "object", description: "The arguments." });
  const description = `${"a".repeat(900)}🙂${"b".repeat(500)}`;
  const snapshot = snapshotOf({ ...tool, definition: { ...tool.definition, description } });
  const body = JSON.parse(bodyText("openai-chat", requestOf([userText("x")], { snapshot }))) as {
    tools: { function: { description: string; parameters: { description: string } } }[];
  };
  const sent = body.tools[0]?.function;
  const [head = ""] = sent?.description.split("… (continued") ?? [];
  expect(sent?.description.length).toBeLessThanOrEqual(1_024);
  expect(sent?.parameters.description).toBe(`…${description.slice(head.length)}\n\nThe arguments.`);
  expect(head.startsWith("aaa")).toBe(true);
});

test("images of results follow behind all results, and say which result they belong to", () => {
  const messages: Message[] = [
    userText("x"),
    {
      role: "assistant",
      content: ["a", "b"].map((id) => ({ type: "tool_call" as const, id, name: "t", input: "{}" })),
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
  const sent = (api: (typeof chatApis)[number]): unknown[] =>
    (JSON.parse(bodyText(api, requestOf(messages))) as { messages: unknown[] }).messages.slice(3);
  expect(sent("openai-chat")).toEqual([
    { role: "tool", tool_call_id: "a", content: "ERROR: [1 image below.]" },
    { role: "tool", tool_call_id: "b", content: "(no output)" },
    {
      role: "user",
      content: [
        { type: "text", text: "From the result of the call a:" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
        { type: "text", text: "between" },
      ],
    },
  ]);
  expect(sent("deepseek")).toEqual([
    {
      role: "tool",
      tool_call_id: "a",
      content: "ERROR: [image/png 1 KB omitted: DeepSeek takes no images in tool results.]",
    },
    { role: "tool", tool_call_id: "b", content: "(no output)" },
    { role: "user", content: "between" },
  ]);
});

test("an image beside the results, or of the person, is described to a server that takes none there", () => {
  const picture: ImageBlock = { type: "image", mediaType: "image/png", data: png };
  const call = { type: "tool_call" as const, id: "abcdefghi", name: "t", input: "{}" };
  const failed: TextBlock = { type: "text", text: "It failed." };
  const messages: Message[] = [
    { role: "user", content: [picture] },
    { role: "assistant", content: [call] },
    {
      role: "user",
      content: [{ type: "tool_result", callId: call.id, isError: true, content: [failed] }, picture],
    },
  ];
  const sent = (api: (typeof chatApis)[number]): unknown[] =>
    (JSON.parse(bodyText(api, requestOf(messages))) as { messages: unknown[] }).messages.slice(1);
  const notes = (title: string): string =>
    `[image/png 1 KB omitted: ${title} takes no images in tool results.]`;
  expect(sent("mistral").at(-1)).toMatchObject({ content: `ERROR: It failed.\n${notes("Mistral")}` });
  expect(sent("mistral")[0]).toMatchObject({ content: [{ type: "image_url" }] });
  expect(sent("deepseek").at(-1)).toMatchObject({ content: `ERROR: It failed.\n${notes("DeepSeek")}` });
  expect(sent("deepseek")[0]).toMatchObject({
    content: "[image/png 1 KB omitted: DeepSeek takes no images.]",
  });
});

test("an image without anything in it is none, whether or not the server takes images", () => {
  const empty: ImageBlock = { type: "image", mediaType: "image/png", data: "" };
  for (const api of ["mistral", "deepseek"] as const) {
    const body = bodyText(
      api,
      requestOf([{ role: "user", content: [{ type: "text", text: "Look." }, empty] }]),
    );
    expect((JSON.parse(body) as { messages: unknown[] }).messages.at(-1)).toEqual({
      role: "user",
      content: "Look.",
    });
  }
});
