import { expect, test } from "vitest";
import { validateMessagesRequest } from "./validate.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (value: string, extra = {}): object => ({ type: "text", text: value, ...extra });
const user = (...content: object[]): object => ({ role: "user", content });
const assistant = (...content: object[]): object => ({ role: "assistant", content });
const call = (id: string, extra = {}): object => ({ type: "tool_use", id, name: "t", input: {}, ...extra });
const result = (id: string, extra = {}): object => ({ type: "tool_result", tool_use_id: id, ...extra });
const image = (media_type: string, data: string): object => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const ephemeral = { cache_control: { type: "ephemeral" } };

function request(messages: unknown = [user(text("hello"))], extra = {}): object {
  return { model: "claude-opus-5", max_tokens: 100, messages, ...extra };
}
function tool(extra: object = {}): object {
  return { name: "t", input_schema: { type: "object", properties: {} }, ...extra };
}
function schema(input_schema: object): object {
  return request(undefined, { tools: [tool({ input_schema: { type: "object", ...input_schema } })] });
}
const without = (name: string): object =>
  Object.fromEntries(Object.entries(request()).filter(([field]) => field !== name));
const answered = (first: object, second: object): object =>
  request([user(text("go")), assistant(first), user(second)]);

/** Rule, smallest refused request, its literal message, nearest accepted neighbour. */
const cases: readonly [string, object, string, object][] = [
  ["1 max_tokens", without("max_tokens"), "max_tokens: Field required", request()],
  ["1 model", without("model"), "model: Field required", request()],
  ["1 messages", without("messages"), "messages: Field required", request()],
  [
    "2 request",
    request(undefined, { seed: 1 }),
    "seed: Extra inputs are not permitted",
    request(undefined, { top_k: 1 }),
  ],
  [
    "2 tool",
    request(undefined, { tools: [tool({ title: "T" })] }),
    "tools.0.custom.title: Extra inputs are not permitted",
    request(undefined, { tools: [tool({ description: "T" })] }),
  ],
  [
    "2 block",
    request([user(text("a", { annotations: {} }))]),
    "messages.0.content.0.text.annotations: Extra inputs are not permitted",
    request([user(text("a"))]),
  ],
  [
    "3 name",
    request(undefined, { tools: [tool({ name: "a.b" })] }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    request(undefined, { tools: [tool({ name: "a-b" })] }),
  ],
  [
    "4 unique names",
    request(undefined, { tools: [tool(), tool()] }),
    "tools: Tool names must be unique.",
    request(undefined, { tools: [tool(), tool({ name: "u" })] }),
  ],
  [
    "5 root combinator",
    schema({ anyOf: [{ required: ["a"] }] }),
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    schema({ properties: { a: { anyOf: [{ type: "string" }] } } }),
  ],
  [
    "6 items as a list",
    schema({ properties: { a: { type: "array", items: [{ type: "string" }] } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { type: "array", prefixItems: [{ type: "string" }] } } }),
  ],
  [
    "6 boolean exclusiveMinimum",
    schema({ properties: { a: { minimum: 1, exclusiveMinimum: true } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { exclusiveMinimum: 1 } } }),
  ],
  [
    "6 dangling reference",
    schema({ properties: { a: { $ref: "#/$defs/A" } } }),
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation.",
    schema({ properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: {} } }),
  ],
  [
    "7 property key",
    schema({ properties: { "types[]": {} } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    schema({ properties: { "types.": {} } }),
  ],
  [
    "7 nested property key",
    schema({ properties: { a: { properties: { $filter: {} } } } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    schema({ properties: { a: { patternProperties: { "^\\$": {} } } } }),
  ],
  [
    "8 answered",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a"))]),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a")), user(result("b"))]),
  ],
  [
    "8 first",
    answered(call("a"), text("before")),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    answered(call("a"), result("a")),
  ],
  [
    "9 orphan",
    request([user(result("a"))]),
    "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    answered(call("a"), result("a")),
  ],
  [
    "10 one result",
    request([user(text("go")), assistant(call("a")), user(result("a"), result("a"))]),
    "each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    request([user(text("go")), assistant(call("a")), user(result("a"), text("more"))]),
  ],
  [
    "11 unique ids",
    request([user(text("go")), assistant(call("a"), call("a")), user(result("a"))]),
    "messages.1.content.1: `tool_use` ids must be unique",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a"), result("b"))]),
  ],
  [
    "12 id",
    answered(call("a|b"), result("a|b")),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    answered(call("a_b"), result("a_b")),
  ],
  [
    "12 server id",
    request([
      user(text("go")),
      assistant({ type: "server_tool_use", id: "a", name: "web_search", input: {} }),
    ]),
    "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    request([
      user(text("go")),
      assistant({ type: "server_tool_use", id: "srvtoolu_a", name: "web_search", input: {} }),
    ]),
  ],
  [
    "13 input",
    answered(call("a", { input: "{}" }), result("a")),
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    answered(call("a", { input: {} }), result("a")),
  ],
  [
    "14 error is text",
    answered(call("a"), result("a", { is_error: true, content: [text("no"), image("image/png", png)] })),
    "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
    answered(call("a"), result("a", { content: [text("no"), image("image/png", png)] })),
  ],
  [
    "15 error is not empty",
    answered(call("a"), result("a", { is_error: true, content: [] })),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    answered(call("a"), result("a", { content: [] })),
  ],
  [
    "16 empty text",
    request([user(text(""))]),
    "messages: text content blocks must be non-empty",
    request([user(text(" "))]),
  ],
  [
    "16 in a result",
    answered(call("a"), result("a", { content: [text("")] })),
    "messages: text content blocks must be non-empty",
    answered(call("a"), result("a", { content: "" })),
  ],
  [
    "17 empty message",
    request([user(), assistant(text("a")), user(text("b"))]),
    "messages: all messages must have non-empty content except for the optional final assistant message",
    request([user(text("a")), assistant(text("a")), user(text("b"))]),
  ],
  [
    "18 cache on empty text",
    request([user(text("a"), text("", ephemeral))]),
    "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
    request([user(text("a"), text("b", ephemeral))]),
  ],
  [
    "19 breakpoints",
    request([user(...["a", "b", "c", "d", "e"].map((value) => text(value, ephemeral)))]),
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    request([user(...["a", "b", "c", "d"].map((value) => text(value, ephemeral)))]),
  ],
  [
    "31 prefill",
    request([user(text("a")), assistant(text("b"))]),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
    request([user(text("a")), assistant(text("b")), user(text("c"))]),
  ],
  [
    "32 type and bytes",
    request([user(image("image/jpeg", png))]),
    "messages.0.content.0.image.source.base64.data: Image does not match the provided media type image/jpeg",
    request([user(image("image/png", png))]),
  ],
  [
    "32 empty",
    request([user(image("image/png", ""))]),
    "messages.0.content.0.image.source.base64: image cannot be empty",
    request([user(image("image/png", png))]),
  ],
  [
    "32 kind",
    request([user(image("image/svg+xml", "PHN2Zz4="))]),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    request([user(image("image/png", png))]),
  ],
];

test.each(cases)(
  "rule %s is refused with its words, and its neighbour is not",
  (_, refused, message, accepted) => {
    expect(validateMessagesRequest(refused)).toEqual({ status: 400, message });
    expect(validateMessagesRequest(accepted)).toBeNull();
  },
);

test("a block of the assistant of a type nobody knows is taken: the API minted it", () => {
  const body = request([user(text("a")), assistant({ type: "future_block", x: 1 }), user(text("b"))]);
  expect(validateMessagesRequest(body)).toBeNull();
});

test("what is no object is refused, whatever it is", () => {
  for (const body of [null, [], "x", 3]) expect(validateMessagesRequest(body)?.status).toBe(400);
});

test("members of a wrong type are refused and nothing throws", () => {
  const wrong = [null, 3, "x", [], {}, [null], [3], [[]]];
  for (const value of wrong) {
    expect(validateMessagesRequest(request(value))?.status).toBe(400);
    expect(validateMessagesRequest(request([{ role: "user", content: value }]))?.status).toBe(
      value === "x" ? undefined : 400,
    );
    expect(() => validateMessagesRequest(request(undefined, { tools: value, system: value }))).not.toThrow();
  }
});
