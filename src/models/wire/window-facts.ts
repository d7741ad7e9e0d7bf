/** Sizes by the beginning of a model's name: the first that fits counts. */
export type WindowFacts = readonly (readonly [name: RegExp, tokens: number])[];

/** Tokens that fit into a request with its answer, in the form of a model's capabilities; none where it is not known. */
export function windowOf(model: string, facts: WindowFacts): { readonly contextTokens?: number } {
  const tokens = facts.find(([name]) => name.test(model))?.[1];
  return tokens === undefined ? {} : { contextTokens: tokens };
}

/**
 * OpenAI's own models, as its pages on models state them. Of the fifth generation that is the input at which the API stops
 * (`gpt-5`) or a higher price begins (`gpt-5.4` and later).
 */
export const openaiWindows: WindowFacts = [
  [/^gpt-5[\d.]*-chat/, 128_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(?:gpt-4o|gpt-4-turbo|chatgpt-4o|o1-mini|o1-preview)/, 128_000],
  [/^o[134](?:-|$)/, 200_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4(?:-0|$)/, 8_192],
  [/^gpt-3\.5-turbo/, 16_385],
];

/** As Anthropic's page on context windows states them. */
export const claudeWindows: WindowFacts = [
  [/^claude-(?:opus|sonnet|haiku)-4(?:-[015])?(?:-20\d{6})?$/, 200_000],
  [/^claude-3/, 200_000],
  [/^claude-(?:opus-4-[678]|sonnet-4-6)/, 1_000_000],
  [/^claude-(?:fable|mythos|opus|sonnet|haiku)-5/, 1_000_000],
];

/** As Google's pages on models state them. */
export const geminiWindows: WindowFacts = [
  [/^(?:models\/)?gemini-(?:2|3)/, 1_048_576],
  [/^(?:models\/)?gemini-1\.5/, 1_048_576],
];
