import type { Model } from "../../types/model.ts";
import { withoutEnd } from "../../util/without-end.ts";
import { isSpendLimit, isUnknownModel, requestHint } from "../openai-chat/errors.ts";
import { commonErrorWords } from "../wire/error-words.ts";
import { createWireModel, type WireModelSettings } from "../wire/model.ts";
import { postChunks } from "../wire/post.ts";
import { openaiWindows } from "../wire/window-facts.ts";
import { blame } from "./blame.ts";
import { createReasoningRequest } from "./reasoning.ts";
import { createRequestEncoder } from "./request.ts";
import { createAnswerReader } from "./stream.ts";
import { responsesApi } from "./turn.ts";

/** How a model behind the Responses API is reached. */
export interface OpenAiResponsesSettings extends WireModelSettings {
  /** `/responses` is appended. Default: OpenAI's own. */
  readonly baseUrl?: string;
}

/**
 * A model of OpenAI's Responses API; see `createWireModel` for its errors. Nothing is stored at the API: every request
 * holds the whole conversation. An error result of a tool is told by the word `ERROR:` in front of its text, for the API
 * has no field for it.
 */
export function createOpenAiResponsesModel(settings: OpenAiResponsesSettings): Model {
  const { name, apiKey, fetch } = settings;
  const baseUrl = withoutEnd(settings.baseUrl ?? "https://api.openai.com/v1", "/");
  const reasoning = createReasoningRequest(name);
  const encoder = createRequestEncoder(name, reasoning);
  const headers: Record<string, string> = apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
  return createWireModel(settings, {
    api: responsesApi,
    toolResultImages: true,
    windows: openaiWindows,
    counter: {
      post: (request, signal) =>
        postChunks(fetch, `${baseUrl}/responses/input_tokens`, headers, encoder.count(request), signal),
      read: ({ input_tokens: tokens }) => tokens,
    },
    errors: {
      apiName: "the Responses API",
      host: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
      keyAdvice: "Check OPENAI_API_KEY.",
      wordsOf: commonErrorWords,
      isSpendLimit,
      isUnknownModel,
    },
    hint: requestHint,
    encode: encoder.encode,
    post: ({ chunks }, signal) => postChunks(fetch, `${baseUrl}/responses`, headers, chunks, signal),
    read: (request) => createAnswerReader(request, name),
    blame(body, request, { tools }) {
      const culprits = blame(body, request, tools, name);
      return culprits.some(({ type }) => type === "own") && !reasoning.stop() ? [] : culprits;
    },
    leftOut: (snapshot) => encoder.tools(snapshot).leftOut,
  });
}
