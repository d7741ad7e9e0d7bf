import type { Rule } from "./request-view.ts";

const mostMessages = 100_000;

/** Rule 36: a request holds 100,000 messages at most. The size of its body is checked where it is read. */
export const fewMessages: Rule = ({ messages }) =>
  Array.isArray(messages) && messages.length > mostMessages
    ? `messages: List should have at most ${mostMessages} items after validation, not ${messages.length}`
    : null;

/** Rule 41: the input fits into the model's context. */
export const promptFits: Rule = (_, { inputTokens, model }) => {
  const tokens = inputTokens();
  return tokens > model.contextTokens
    ? `prompt is too long: ${tokens} tokens > ${model.contextTokens} maximum`
    : null;
};

/** Rule 41: with older models the input fits together with the longest answer that is asked for. */
export const answerFits: Rule = ({ max_tokens: most }, { inputTokens, model }) => {
  const tokens = inputTokens();
  return model.refusesOverflow && tokens + Number(most) > model.contextTokens
    ? `input length and \`max_tokens\` exceed context limit: ${tokens} + ${most} > ${model.contextTokens}, ` +
        "decrease input length or `max_tokens` and try again"
    : null;
};

/** Rule 42: an answer has as many tokens at most as the model can write. */
export const outputCap: Rule = ({ max_tokens: most, model: name }, { model }) =>
  Number(most) > model.outputTokens
    ? `max_tokens: ${most} > ${model.outputTokens}, which is the maximum allowed number of output tokens for ${name}`
    : null;
