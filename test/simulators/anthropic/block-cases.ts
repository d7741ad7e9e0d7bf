import * as blocks from "../../../src/testing/anthropic/rules/blocks.ts";
import * as cache from "../../../src/testing/anthropic/rules/cache-control.ts";
import * as fields from "../../../src/testing/anthropic/rules/fields.ts";
import * as pairing from "../../../src/testing/anthropic/rules/pairing.ts";
import type { Rule } from "../../../src/testing/anthropic/rules/request-view.ts";
import {
  answered,
  assistant,
  call,
  ephemeral,
  image,
  png,
  type RefusalCase,
  request,
  result,
  text,
  user,
} from "./requests.ts";

const webSearch = { type: "web_search_20250305", name: "web_search" };

/** Rule, its function, what is looked at, smallest refused request, its literal message, nearest accepted neighbour. */
const rows: readonly [number, Rule, string, object, string, object][] = [
  [
    8,
    pairing.callsAnswered,
    "answered",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a"))]),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a")), user(result("b"))]),
  ],
  [
    8,
    pairing.callsAnswered,
    "first",
    answered(call("a"), text("before")),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    answered(call("a"), result("a")),
  ],
  [
    9,
    pairing.resultsBelong,
    "orphan",
    request([user(result("a"))]),
    "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    answered(call("a"), result("a")),
  ],
  [
    10,
    pairing.singleResults,
    "one result",
    request([user(text("go")), assistant(call("a")), user(result("a"), result("a"))]),
    "each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    request([user(text("go")), assistant(call("a")), user(result("a"), text("more"))]),
  ],
  [
    11,
    pairing.uniqueCallIds,
    "unique ids",
    request([user(text("go")), assistant(call("a"), call("a")), user(result("a"))]),
    "messages.1.content.1: `tool_use` ids must be unique",
    request([user(text("go")), assistant(call("a"), call("b")), user(result("a"), result("b"))]),
  ],
  [
    12,
    blocks.ids,
    "id",
    answered(call("a|b"), result("a|b")),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    answered(call("a_b"), result("a_b")),
  ],
  [
    12,
    blocks.ids,
    "server id",
    request([
      user(text("go")),
      assistant({ type: "server_tool_use", id: "a", name: "web_search", input: {} }),
    ]),
    "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    request(
      [
        user(text("go")),
        assistant({ type: "server_tool_use", id: "srvtoolu_a", name: "web_search", input: {} }),
      ],
      { tools: [webSearch] },
    ),
  ],
  [
    13,
    blocks.inputs,
    "input",
    answered(call("a", { input: "{}" }), result("a")),
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    answered(call("a", { input: {} }), result("a")),
  ],
  [
    14,
    blocks.errorResultText,
    "error is text",
    answered(call("a"), result("a", { is_error: true, content: [text("no"), image("image/png", png)] })),
    "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
    answered(call("a"), result("a", { content: [text("no"), image("image/png", png)] })),
  ],
  [
    15,
    blocks.errorResultContent,
    "error is not empty",
    answered(call("a"), result("a", { is_error: true, content: [] })),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    answered(call("a"), result("a", { content: [] })),
  ],
  [
    16,
    blocks.emptyText,
    "empty text",
    request([user(text(""))]),
    "messages: text content blocks must be non-empty",
    request([user(text(" "))]),
  ],
  [
    16,
    blocks.emptyText,
    "in a result",
    answered(call("a"), result("a", { content: [text("")] })),
    "messages: text content blocks must be non-empty",
    answered(call("a"), result("a", { content: "" })),
  ],
  [
    17,
    blocks.emptyMessages,
    "empty message",
    request([user(), assistant(text("a")), user(text("b"))]),
    "messages: all messages must have non-empty content except for the optional final assistant message",
    request([user(text("a")), assistant(text("a")), user(text("b"))]),
  ],
  [
    18,
    blocks.cacheOnEmptyText,
    "cache on empty text",
    request([user(text("a"), text("", ephemeral))]),
    "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
    request([user(text("a"), text("b", ephemeral))]),
  ],
  [
    19,
    cache.fewBreakpoints,
    "breakpoints",
    request([user(...["a", "b", "c", "d", "e"].map((value) => text(value, ephemeral)))]),
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    request([user(...["a", "b", "c", "d"].map((value) => text(value, ephemeral)))]),
  ],
  [
    0,
    fields.blockTypes,
    "call of the user",
    request([user(call("a"))]),
    "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    answered(call("a"), result("a")),
  ],
  [
    0,
    fields.blockTypes,
    "kind of block",
    request([user({ type: "audio" })]),
    "messages.0.content.0: Input tag 'audio' found using 'type' does not match any of the expected tags",
    request([user(text("a"))]),
  ],
  [
    0,
    fields.blockStrings,
    "text",
    request([user({ type: "text" })]),
    "messages.0.content.0.text.text: Field required",
    request([user(text("a"))]),
  ],
  [
    0,
    fields.resultShapes,
    "content of a result",
    answered(call("a"), result("a", { content: 3 })),
    "messages.2.content.0.tool_result.content: Input should be a valid list",
    answered(call("a"), result("a", { content: "3" })),
  ],
  [
    0,
    blocks.calledNames,
    "name of a call",
    answered(call("a", { name: "a.b" }), result("a")),
    "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    answered(call("a", { name: "a_b" }), result("a")),
  ],
  [
    0,
    cache.cacheControlShapes,
    "type of a breakpoint",
    request([user(text("a", { cache_control: { type: "x" } }))]),
    "messages.0.content.0.cache_control.type: Input should be 'ephemeral'",
    request([user(text("a", ephemeral))]),
  ],
];

/** Rules 8 to 19: blocks, and the order of calls and results. */
export const blockCases: readonly RefusalCase[] = rows.map(
  ([rule, check, name, refused, message, accepted]) => ({ rule, check, name, refused, message, accepted }),
);
