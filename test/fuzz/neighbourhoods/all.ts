import { anthropicNeighbourhoods } from "./anthropic.ts";
import { geminiNeighbourhoods } from "./gemini.ts";
import type { Neighbourhoods } from "./neighbourhood.ts";
import { chatNeighbourhoods } from "./openai-chat.ts";
import { responsesNeighbourhoods } from "./openai-responses.ts";

/** What comes near the rules of each simulator, by the folder that it is in. */
export const neighbourhoods: Readonly<Record<string, Neighbourhoods>> = {
  anthropic: anthropicNeighbourhoods,
  "openai-responses": responsesNeighbourhoods,
  "openai-chat": chatNeighbourhoods,
  gemini: geminiNeighbourhoods,
};
