import type { ChatApiName } from "../../../src/models/openai-chat/profile.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import { anthropicApi } from "./anthropic.ts";
import type { CaseApi } from "./api.ts";
import { geminiApi } from "./gemini.ts";
import { chatApi } from "./openai-chat.ts";
import { responsesApi } from "./openai-responses.ts";

/** Every model API that there is an adapter and a simulator for. */
export const caseApis: readonly CaseApi[] = [
  anthropicApi,
  responsesApi,
  ...(Object.keys(chatProfiles) as ChatApiName[]).map(chatApi),
  geminiApi,
];
