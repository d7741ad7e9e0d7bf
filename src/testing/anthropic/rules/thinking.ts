import { isObject } from "../../../util/own.ts";
import { isThinking } from "../thinking-marks.ts";
import { turnsOf } from "./pairing.ts";
import type { Rule, WireObject } from "./request-view.ts";

const advice = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
/** Where thinking cannot be switched off but between calls, that is what the API advises. */
const lowest =
  'Use "thinking.type.between_tools" for the lowest thinking setting, or "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

/** The configuration of thinking is an object of a type that the API knows. */
export const thinkingShape: Rule = ({ thinking }) => {
  if (thinking === undefined) return null;
  if (!isObject(thinking)) return "thinking: Input should be an object";
  const types = ["enabled", "disabled", "adaptive", "between_tools"];
  if (types.includes(String(thinking.type))) return null;
  const expected = types.map((type) => `'${type}'`).join(", ");
  return `thinking: Input tag '${thinking.type}' found using 'type' does not match any of the expected tags: ${expected}`;
};

/** Rule 29: not every model takes every type of thinking. */
export const thinkingTypes: Rule = (request, { model }) => {
  const type = thinkingType(request);
  if (type === null) return null;
  const { output_config: output } = request;
  const effort = isObject(output) ? String(output.effort) : "";
  const tooHard = type === "disabled" && model.thinksAtHighEffort && (effort === "xhigh" || effort === "max");
  if (!tooHard && !model.refusesThinking.has(type)) return null;
  if (type === "adaptive") return "adaptive thinking is not supported on this model";
  const between = type === "disabled" && !tooHard && !model.refusesThinking.has("between_tools");
  return `"thinking.type.${type}" is not supported for this model. ${between ? lowest : advice}`;
};

/** Rule 30: the budget of thinking is 1,024 tokens at least, and less than the answer may have. */
export const thinkingBudget: Rule = ({ thinking, max_tokens: most }) => {
  if (!isObject(thinking) || thinking.type !== "enabled") return null;
  const { budget_tokens: budget } = thinking;
  if (budget === undefined) return "thinking.enabled.budget_tokens: Field required";
  if (!Number.isInteger(budget)) return "thinking.enabled.budget_tokens: Input should be a valid integer";
  if (Number(budget) < 1024) {
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  }
  return Number(budget) < Number(most)
    ? null
    : "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size";
};

/** Rule 28: with thinking by hand, the turn whose calls are being answered begins with its thinking. */
export const thinkingLeads: Rule = (request) => {
  if (thinkingType(request) !== "enabled") return null;
  const turns = turnsOf(request);
  const last = turns.at(-1);
  const called = turns.at(-2);
  const answers = last?.role === "user" && last.blocks.some(({ block }) => block.type === "tool_result");
  const first = called?.blocks[0];
  if (!answers || first === undefined || isThinking(first.block)) return null;
  return (
    `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When ` +
    "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost " +
    "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To " +
    "avoid this requirement, disable `thinking`. Please consult our documentation at " +
    "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
  );
};

function thinkingType({ thinking }: WireObject): string | null {
  return isObject(thinking) && typeof thinking.type === "string" ? thinking.type : null;
}
