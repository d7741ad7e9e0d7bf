import { isObject } from "../../../util/own.ts";
import { answerOf, isThinking, markOf, prefixesOf, wordsOf } from "../thinking-marks.ts";
import {
  blocksOf,
  blocksOfMessage,
  firstRefusal,
  hasBeta,
  objectsOf,
  type PlacedBlock,
  type Rule,
  type RuleContext,
  type WireObject,
} from "./request-view.ts";

/** The beta with which a request says what happens to blocks of another conversation, and is told. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

/** Rule 27: the thinking of the latest message of the assistant is as it was given, or not there at all. */
export const thinkingUnaltered: Rule = (request, { issued }) => {
  if (issued === null) return null;
  const messages = objectsOf(request.messages);
  const index = messages.findLastIndex(({ role }) => role === "assistant");
  const placed = index === -1 ? [] : blocksOfMessage(messages[index] ?? {}, index);
  const blocks = placed.filter(({ block }) => isThinking(block));
  const answer = answerOf(blocks.map(({ block }) => block));
  return firstRefusal(blocks, ({ path, block }) => {
    const found = issued(markOf(block));
    // Another model does not read them: the API leaves them out without a word.
    if (found.length === 0 || found.every(({ model }) => model !== request.model)) return null;
    return found.some((one) => one.words === wordsOf(block) && one.answer === answer)
      ? null
      : `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
          "These blocks must remain as they were in the original response.";
  });
};

/** Rule 27: every block of thinking carries the signature that it was given with. */
export const signaturesValid: Rule = (request, { issued }) =>
  issued === null
    ? null
    : firstRefusal(thinkingOf(request), ({ path, block }) => {
        const valid = issued(markOf(block)).some(({ words }) => words === wordsOf(block));
        if (valid) return null;
        return block.type === "thinking"
          ? `${path}: Invalid \`signature\` in \`thinking\` block`
          : `${path}: Invalid \`data\` in \`redacted_thinking\` block`;
      });

/** Rule 39: a block of thinking is bound to the conversation before it, unless the request lets it be dropped. */
export const thinkingBound: Rule = (request, context) => {
  if (bindingOf(request) === "drop_block") return null;
  const [place] = unboundThinking(request, context);
  if (place === undefined) return null;
  const setting = hasBeta(context, bindingBeta)
    ? ""
    : ` That setting requires the \`${bindingBeta}\` value in the \`anthropic-beta\` header.`;
  return (
    `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the ` +
    `block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${setting}`
  );
};

/** Rule 39: the setting of the binding needs its beta, and is no part of thinking that is switched off. */
export const bindingNeedsBeta: Rule = ({ thinking }, context) =>
  isObject(thinking) &&
  thinking.block_binding !== undefined &&
  (thinking.type === "disabled" || !hasBeta(context, bindingBeta))
    ? `thinking.${thinking.type}.block_binding: Extra inputs are not permitted`
    : null;

/** The places of blocks that were given in another conversation than the one that they stand in. */
export function unboundThinking(request: WireObject, { issued, model }: RuleContext): string[] {
  if (issued === null || !(model.bindsThinking || bindingOf(request) !== null)) return [];
  const blocks = thinkingOf(request);
  if (blocks.length === 0) return [];
  const prefixes = prefixesOf(request);
  return blocks
    .filter(({ path, block }) => {
      const before = prefixes[Number(path.split(".")[1])];
      return issued(markOf(block)).every((one) => one.prefix !== before && one.model === request.model);
    })
    .map(({ path }) => path);
}

function thinkingOf(request: WireObject): PlacedBlock[] {
  return blocksOf(request).filter(({ role, block }) => role === "assistant" && isThinking(block));
}

function bindingOf({ thinking }: WireObject): unknown {
  const binding = isObject(thinking) ? thinking.block_binding : null;
  return isObject(binding) ? (binding.prefix_mismatch_behavior ?? null) : null;
}
