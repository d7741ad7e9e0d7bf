import type { KeySchema } from "./key-schema.ts";

const amount = (description: string): KeySchema => ({ type: "number", minimum: 0, description });

const tokens: Readonly<Record<string, KeySchema>> = {
  input: amount("A million tokens of input."),
  output: amount("A million tokens of output."),
  cacheRead: amount("A million tokens of input that come from the cache. Default: as input."),
  cacheWrite: amount("A million tokens of input that are written to the cache. Default: as input."),
};

/** What models cost, by `api/name` or by name. */
export const priceSchema: KeySchema = {
  type: "object",
  description:
    "What models cost, by `api/name` or by name, in US dollars per million tokens: beside and before the published prices. Not in a project's file.",
  additionalProperties: {
    type: "object",
    description: "The price of one model, US dollars per million tokens.",
    additionalProperties: false,
    required: ["input", "output"],
    properties: {
      ...tokens,
      long: {
        type: "object",
        description: "The price of all tokens of a request whose prompt is longer than overTokens.",
        additionalProperties: false,
        required: ["input", "output", "overTokens"],
        properties: {
          ...tokens,
          overTokens: { type: "integer", minimum: 0, description: "The longest prompt without it, tokens." },
        },
      },
    },
  },
  examples: [{ "openai-chat/some-model": { input: 0.5, output: 1.5 } }],
};
