import type { Model } from "../../types/model.ts";
import { withoutEnd } from "../../util/without-end.ts";
import { commonErrorWords } from "../wire/error-words.ts";
import { createWireModel, type WireModelSettings } from "../wire/model.ts";
import { postChunks } from "../wire/post.ts";
import { openaiWindows } from "../wire/window-facts.ts";
import { isRefusal, isSpendLimit, isUnknownModel, requestHint } from "./errors.ts";
import type { ChatProfile } from "./profile.ts";
import { createRequestEncoder } from "./request.ts";
import { createAnswerReader } from "./stream.ts";
import { createToolSupport } from "./tool-support.ts";

/** How a model behind Chat Completions is reached. */
export interface OpenAiChatSettings extends WireModelSettings {
  readonly profile: ChatProfile;
  /** `/chat/completions` is appended. Default: where the profile's server usually is. */
  readonly baseUrl?: string;
}

/**
 * A model of OpenAI's Chat Completions API, or of a server that speaks it; see `createWireModel` for its errors.
 * An error result of a tool is told by the word `ERROR:` in front of its text, for the API has no field for it.
 */
export function createOpenAiChatModel(settings: OpenAiChatSettings): Model {
  const { profile, name, apiKey, fetch } = settings;
  const baseUrl = withoutEnd(settings.baseUrl ?? profile.baseUrl, "/");
  const encoder = createRequestEncoder(profile, name);
  const headers: Record<string, string> = apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
  const toolSupport = profile.showsModels
    ? createToolSupport({ ...settings, title: profile.title, baseUrl, headers })
    : null;
  return createWireModel(settings, {
    api: profile.api,
    windows: profile.api === "openai-chat" ? openaiWindows : [],
    toolResultImages: profile.toolResultImages,
    errors: {
      apiName: "the Chat Completions API",
      host: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
      keyAdvice: `Check ${profile.keyVariable}.`,
      wordsOf: commonErrorWords,
      isSpendLimit,
      isUnknownModel,
      isRefusal,
    },
    hint: requestHint,
    encode: encoder.encode,
    async post({ chunks, tools }, signal) {
      if (tools.tools.length > 0) await toolSupport?.(signal);
      return postChunks(fetch, `${baseUrl}/chat/completions`, headers, chunks, signal);
    },
    read: (request) => createAnswerReader(request, profile, name),
    leftOut: (snapshot) => encoder.tools(snapshot).leftOut,
  });
}
