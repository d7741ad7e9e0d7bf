/** Families of models that answer at once. */
const answersAtOnce = /^(?:ft:)?gpt-(?:3|4)|^chatgpt|^gpt-5(?:\.\d+)?-chat/;

/** Whether a model reasons before it answers. */
export function isReasoningModel(model: unknown): boolean {
  return !answersAtOnce.test(String(model));
}
