/** What requests ask of a model that reasons. */
export interface ReasoningRequest {
  /** The part of a request that asks for it; empty for a model that does not reason. */
  json(): string;
  /** Asks no more; false when it was not asked anyway. */
  stop(): boolean;
}

/**
 * Models that do not reason refuse to be asked for it (`Encrypted content is not supported with this model.`). They are
 * the older ones; what comes next reasons.
 */
const plainModels = /^(?:gpt-3|gpt-4|chatgpt-|computer-use)|^gpt-5[\d.]*-chat|^ft:gpt-[34]/;

/**
 * Nothing is stored at the API, so a model's reasoning has to come with its answer, encrypted, and go back with it. A
 * summary for people is not asked for: the API gives it to verified organizations only, and refuses the whole request
 * of others.
 */
export function createReasoningRequest(model: string): ReasoningRequest {
  let asked = !plainModels.test(model);
  return {
    json: () => (asked ? '"include":["reasoning.encrypted_content"],' : ""),
    stop() {
      const before = asked;
      asked = false;
      return before;
    },
  };
}
