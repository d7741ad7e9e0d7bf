import * as thinking from "../../../src/testing/anthropic/rules/thinking.ts";
import * as replay from "../../../src/testing/anthropic/rules/thinking-replay.ts";
import { createThinkingMarks } from "../../../src/testing/anthropic/thinking-marks.ts";
import { asking, assistant, call, type RefusalCase, request, result, text, user } from "./requests.ts";

const byHand = { type: "enabled", budget_tokens: 1024 };
const manual = { model: "claude-haiku-4-5", max_tokens: 2000, thinking: byHand };
const thinkingBy = (model: string, type: string, extra = {}): object =>
  asking({ model, max_tokens: 2000, thinking: type === "enabled" ? byHand : { type }, ...extra });
const advice = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const leading = (...content: object[]): object =>
  request([user(text("a")), assistant(...content, call("c")), user(result("c"))], manual);

const binding = { model: "claude-fable-5-1" };
const asked = [user(text("a"))];
const otherwise = [user(text("b"))];
const marks = createThinkingMarks();
/** What the API answered with: two blocks of thinking and a call. */
const [shown = {}, redacted = {}, called = {}] = marks.mark(
  [
    { type: "thinking", thinking: "x" },
    { type: "redacted_thinking", data: "" },
    { type: "tool_use", id: "c", name: "t", input: {} },
  ],
  { ...request(asked), ...binding },
);
const whole = [shown, redacted, called];
const replayed = (content: readonly object[], before: readonly object[] = asked, extra = {}): object =>
  request([...before, assistant(...content), user(result("c"))], { ...binding, ...extra });
const older = (content: readonly object[]): object =>
  request(
    [...asked, assistant(...content), user(result("c")), assistant(text("b")), user(text("c"))],
    binding,
  );
const dropping = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
const bindingBeta = "thinking-binding-controls-2026-08-01";
const bound =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

/** Rules 28 to 30: what may be asked of a model that thinks. */
const settingRules: readonly RefusalCase[] = [
  {
    rule: 28,
    name: "thinking left out of the turn that goes on",
    check: thinking.thinkingLeads,
    refused: leading(text("b")),
    message:
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
    accepted: leading({ type: "thinking", thinking: "x", signature: "s" }, text("b")),
  },
  {
    rule: 29,
    name: "by hand",
    check: thinking.thinkingTypes,
    refused: thinkingBy("claude-opus-4-7", "enabled"),
    message: `"thinking.type.enabled" is not supported for this model. ${advice}`,
    accepted: thinkingBy("claude-opus-4-6", "enabled"),
  },
  {
    rule: 29,
    name: "adaptive",
    check: thinking.thinkingTypes,
    refused: thinkingBy("claude-sonnet-4-5", "adaptive"),
    message: "adaptive thinking is not supported on this model",
    accepted: thinkingBy("claude-sonnet-4-6", "adaptive"),
  },
  {
    rule: 29,
    name: "off where it is always on",
    check: thinking.thinkingTypes,
    refused: thinkingBy("claude-fable-5", "disabled"),
    message: `"thinking.type.disabled" is not supported for this model. ${advice}`,
    accepted: thinkingBy("claude-sonnet-5", "disabled"),
  },
  {
    rule: 29,
    name: "off at a high effort",
    check: thinking.thinkingTypes,
    refused: thinkingBy("claude-opus-5", "disabled", { output_config: { effort: "max" } }),
    message: `"thinking.type.disabled" is not supported for this model. ${advice}`,
    accepted: thinkingBy("claude-opus-5", "disabled", { output_config: { effort: "high" } }),
  },
  {
    rule: 29,
    name: "off where only less is possible",
    check: thinking.thinkingTypes,
    refused: thinkingBy("claude-sonnet-5-5", "disabled"),
    message:
      '"thinking.type.disabled" is not supported for this model. Use "thinking.type.between_tools" for the lowest thinking setting, or "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    accepted: thinkingBy("claude-sonnet-5-5", "between_tools"),
  },
  {
    rule: 0,
    name: "a type that nobody knows",
    check: thinking.thinkingShape,
    refused: thinkingBy("claude-opus-5", "often"),
    message:
      "thinking: Input tag 'often' found using 'type' does not match any of the expected tags: 'enabled', 'disabled', 'adaptive', 'between_tools'",
    accepted: thinkingBy("claude-opus-5", "adaptive"),
  },
  {
    rule: 30,
    name: "too small a budget",
    check: thinking.thinkingBudget,
    refused: asking({ ...manual, thinking: { type: "enabled", budget_tokens: 1023 } }),
    message: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    accepted: asking(manual),
  },
  {
    rule: 30,
    name: "a budget as large as the answer",
    check: thinking.thinkingBudget,
    refused: asking({ ...manual, max_tokens: 1024 }),
    message:
      "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
    accepted: asking({ ...manual, max_tokens: 1025 }),
  },
];

/** Rules 27 and 39: what of the thinking comes back. */
const replayRules: readonly RefusalCase[] = [
  {
    rule: 27,
    name: "a block filtered out of the latest message",
    check: replay.thinkingUnaltered,
    refused: replayed([shown, called]),
    message:
      "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    accepted: replayed(whole),
    settings: { marks },
  },
  {
    rule: 27,
    name: "a block of another answer than the model's",
    check: replay.thinkingUnaltered,
    refused: replayed([redacted, shown, called]),
    message:
      "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    accepted: replayed([called]),
    settings: { marks },
  },
  {
    rule: 27,
    name: "words changed in an earlier message",
    check: replay.signaturesValid,
    refused: older([{ ...shown, thinking: "y" }, redacted, called]),
    message: "messages.1.content.0: Invalid `signature` in `thinking` block",
    accepted: older(whole),
    settings: { marks },
  },
  {
    rule: 39,
    name: "another conversation before it",
    check: replay.thinkingBound,
    refused: replayed(whole, otherwise),
    message: `${bound} That setting requires the \`${bindingBeta}\` value in the \`anthropic-beta\` header.`,
    accepted: replayed(whole),
    settings: { marks },
  },
  {
    rule: 39,
    name: "another conversation, unless blocks may be dropped",
    check: replay.thinkingBound,
    refused: replayed(whole, otherwise),
    message: bound,
    accepted: replayed(whole, otherwise, { thinking: dropping }),
    settings: { marks, betas: [bindingBeta] },
  },
  {
    rule: 39,
    name: "the setting without its beta",
    check: replay.bindingNeedsBeta,
    refused: asking({ thinking: dropping }),
    message: "thinking.adaptive.block_binding: Extra inputs are not permitted",
    accepted: asking({ thinking: { type: "adaptive" } }),
  },
];

export const thinkingCases: readonly RefusalCase[] = [...settingRules, ...replayRules];
