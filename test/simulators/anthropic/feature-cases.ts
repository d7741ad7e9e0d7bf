import * as cache from "../../../src/testing/anthropic/rules/cache-control.ts";
import * as deferred from "../../../src/testing/anthropic/rules/deferred-tools.ts";
import * as limits from "../../../src/testing/anthropic/rules/limits.ts";
import * as strict from "../../../src/testing/anthropic/rules/strict-tools.ts";
import * as choice from "../../../src/testing/anthropic/rules/tool-choice.ts";
import {
  anHour,
  answered,
  asking,
  call,
  ephemeral,
  type RefusalCase,
  request,
  result,
  schema,
  text,
  tool,
  user,
} from "./requests.ts";

const fiveTexts = ["a", "b", "c", "d", "e"].map((value) => text(value));
const fourMarked = ["a", "b", "c", "d"].map((value) => text(value, ephemeral));
const reference = (tool_name: string): object =>
  answered(call("a"), result("a", { content: [{ type: "tool_reference", tool_name }] }));
const closed = { additionalProperties: false };
const properties = (count: number, property: object): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, property]));
const strictly = (count: number, property: object, required: boolean): object => {
  const members = properties(count, property);
  const input = { ...closed, properties: members, required: required ? Object.keys(members) : [] };
  return schema(input, { strict: true });
};
const strictTools = (count: number): object =>
  asking({
    tools: Array.from({ length: count }, (_, index) =>
      tool({ name: `t${index}`, strict: true, input_schema: { type: "object", ...closed } }),
    ),
  });
const words = (count: number, extra: object): object => request([user(text("a".repeat(count)))], extra);
const haiku = { model: "claude-haiku-4-5" };
const old = { model: "claude-opus-4-1-20250805", max_tokens: 32_000 };

/** Rules 20 to 26: caching and tools. */
const toolRules: readonly RefusalCase[] = [
  {
    rule: 20,
    name: "an hour after five minutes",
    check: cache.breakpointOrder,
    refused: request([user(text("a", ephemeral), text("b", anHour))]),
    message:
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: tools, system, messages.",
    accepted: request([user(text("a", anHour), text("b", ephemeral))]),
  },
  {
    rule: 21,
    name: "another lifetime than the automatic one",
    check: cache.automaticLifetime,
    refused: request([user(text("a", anHour))], ephemeral),
    message:
      "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
    accepted: request([user(text("a", ephemeral))], ephemeral),
  },
  {
    rule: 21,
    name: "no place for the automatic one",
    check: cache.automaticPlace,
    refused: request([user(...fourMarked, text("e"))], ephemeral),
    message: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    accepted: request([user(...fiveTexts)], ephemeral),
  },
  {
    rule: 22,
    name: "a breakpoint on a deferred tool",
    check: deferred.deferredWithoutCache,
    refused: asking({ tools: [tool(), tool({ name: "u", defer_loading: true, ...ephemeral })] }),
    message:
      "Tool 'u' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
    accepted: asking({ tools: [tool(ephemeral), tool({ name: "u", defer_loading: true })] }),
  },
  {
    rule: 23,
    name: "all tools deferred",
    check: deferred.someToolLoaded,
    refused: asking({ tools: [tool({ defer_loading: true })] }),
    message: "At least one tool must have defer_loading=false. All tools cannot be deferred.",
    accepted: asking({ tools: [tool({ defer_loading: true }), tool({ name: "u" })] }),
  },
  {
    rule: 24,
    name: "a reference to nothing",
    check: deferred.referencesKnown,
    refused: reference("u"),
    message: "Tool reference 'u' not found in available tools",
    accepted: { ...reference("t"), tools: [tool()] },
  },
  {
    rule: 25,
    name: "a choice of nothing",
    check: choice.chosenToolKnown,
    refused: asking({ tools: [tool()], tool_choice: { type: "tool", name: "u" } }),
    message: "Tool 'u' not found in provided tools",
    accepted: asking({ tools: [tool()], tool_choice: { type: "tool", name: "t" } }),
  },
  {
    rule: 0,
    name: "a choice that is no object",
    check: choice.toolChoiceShapes,
    refused: asking({ tool_choice: "auto" }),
    message: "tool_choice: Input should be an object",
    accepted: asking({ tool_choice: { type: "auto" } }),
  },
  {
    rule: 26,
    name: "forced use with thinking",
    check: choice.forcedWithoutThinking,
    refused: asking({
      ...haiku,
      max_tokens: 2000,
      tools: [tool()],
      tool_choice: { type: "any" },
      thinking: { type: "enabled", budget_tokens: 1024 },
    }),
    message: "Thinking may not be enabled when tool_choice forces tool use.",
    accepted: asking({ tools: [tool()], tool_choice: { type: "any" }, thinking: { type: "adaptive" } }),
  },
];

/** Rules 33, 36, 41 and 42: limits. */
const limitRules: readonly RefusalCase[] = [
  {
    rule: 33,
    name: "strict tools",
    check: strict.fewStrictTools,
    refused: strictTools(21),
    message:
      "Too many strict tools (21). The maximum number of strict tools supported is 20. Try reducing the number of tools marked as strict.",
    accepted: strictTools(20),
  },
  {
    rule: 33,
    name: "optional parameters",
    check: strict.fewOptionalParameters,
    refused: strictly(25, { type: "string" }, false),
    message:
      "Schemas contains too many optional parameters (25), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).",
    accepted: strictly(24, { type: "string" }, false),
  },
  {
    rule: 33,
    name: "unions",
    check: strict.fewUnions,
    refused: strictly(17, { type: ["string", "null"] }, true),
    message:
      "Schemas contains too many parameters with union types (17 parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters with unions).",
    accepted: strictly(16, { type: ["string", "null"] }, true),
  },
  {
    rule: 33,
    name: "open objects",
    check: strict.strictObjectsClosed,
    refused: schema({}, { strict: true }),
    message: "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false",
    accepted: schema(closed, { strict: true }),
  },
  {
    rule: 33,
    name: "bounds of numbers",
    check: strict.strictNumbersFree,
    refused: strictly(1, { type: "integer", minimum: 1, maximum: 2 }, true),
    message: "tools.0.custom: For 'integer' type, properties maximum, minimum are not supported",
    accepted: strictly(1, { type: "integer" }, true),
  },
  {
    rule: 36,
    name: "messages",
    check: limits.fewMessages,
    refused: request(Array.from({ length: 100_001 }, () => ({ role: "user", content: "a" }))),
    message: "messages: List should have at most 100000 items after validation, not 100001",
    accepted: request(Array.from({ length: 100_000 }, () => ({ role: "user", content: "a" }))),
  },
  {
    rule: 41,
    name: "prompt",
    check: limits.promptFits,
    refused: words(800_000, haiku),
    message: "prompt is too long: 200007 tokens > 200000 maximum",
    accepted: words(799_900, haiku),
  },
  {
    rule: 41,
    name: "prompt and answer of an older model",
    check: limits.answerFits,
    refused: words(700_000, old),
    message:
      "input length and `max_tokens` exceed context limit: 175007 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    accepted: words(600_000, old),
  },
  {
    rule: 42,
    name: "answer",
    check: limits.outputCap,
    refused: asking({ model: "claude-haiku-4-5-20251001", max_tokens: 128_000 }),
    message:
      "max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001",
    accepted: asking({ model: "claude-haiku-4-5-20251001", max_tokens: 64_000 }),
  },
];

export const featureCases: readonly RefusalCase[] = [...toolRules, ...limitRules];
