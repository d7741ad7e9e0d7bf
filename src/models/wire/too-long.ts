/**
 * How APIs say that a request does not fit into the model's window: the Messages API, OpenAI and the servers that follow
 * it (vLLM, llama.cpp, Mistral, OpenRouter), Gemini.
 */
const words: readonly RegExp[] = [
  /prompt is too long/i,
  /exceed context limit/i,
  /context_length_exceeded/,
  /maximum context length/i,
  /exceeds the context window/i,
  /exceed(?:s|_)?(?: the available)?[ _]context[ _]size/i,
  /input token count (?:\(\d{1,12}\) )?exceeds the maximum/i,
  /too large for model with \d{1,12} maximum context/i,
];

/** Whether a refusal is about the length of the conversation. */
export function isTooLong(said: string): boolean {
  return words.some((pattern) => pattern.test(said));
}
