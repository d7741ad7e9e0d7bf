import type { Model } from "../../types/model.ts";
import { withoutEnd } from "../../util/without-end.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import { createWireModel, type WireModelSettings } from "../wire/model.ts";
import { postChunks } from "../wire/post.ts";
import { geminiWindows } from "../wire/window-facts.ts";
import { blame } from "./blame.ts";
import { errorWords, isBadKey, isSpendLimit, isUnknownModel, requestHint } from "./errors.ts";
import { createRequestEncoder } from "./request.ts";
import { createAnswerReader } from "./stream.ts";

/** How a model of the Gemini API is reached. */
export interface GeminiSettings extends WireModelSettings {
  /** Default: Google's. `/v1beta/models/…` is appended, unless it ends with the version already. */
  readonly baseUrl?: string;
  /** The variable that holds the key. Default: `GEMINI_API_KEY`. */
  readonly keyVariable?: string;
}

/** Where the API is. */
const geminiBaseUrl = "https://generativelanguage.googleapis.com";

/**
 * A model of Google's Gemini API; see `createWireModel` for its errors. The arguments of a call keep the text that the
 * API wrote them with, which is an object always: what its model wrote cannot be seen.
 */
export function createGeminiModel(settings: GeminiSettings): Model {
  const { name, apiKey, fetch, keyVariable = "GEMINI_API_KEY" } = settings;
  const baseUrl = withoutEnd(settings.baseUrl ?? geminiBaseUrl, "/").replace(/\/v1beta$/, "");
  const resource = /^(?:models|tunedModels)\//.test(name) ? name : `models/${name}`;
  const place = `${baseUrl}/v1beta/${encodeURI(resource)}`;
  const url = `${place}:streamGenerateContent?alt=sse`;
  const encoder = createRequestEncoder(name);
  const headers = { "x-goog-api-key": apiKey };
  return createWireModel(settings, {
    api: "gemini",
    toolResultImages: true,
    windows: geminiWindows,
    counter: {
      post(request, signal) {
        const [first, ...others] = encoder.encode(request).chunks;
        const head = encodeJson(`{"generateContentRequest":{"model":${JSON.stringify(resource)},`);
        const chunks = [
          head,
          ...(first === undefined ? [] : [first.subarray(1)]),
          ...others,
          encodeJson("}"),
        ];
        return postChunks(fetch, `${place}:countTokens`, headers, chunks, signal);
      },
      read: ({ totalTokens }) => totalTokens,
    },
    errors: {
      apiName: "the Gemini API",
      host: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
      keyAdvice: `Check ${keyVariable}.`,
      wordsOf: errorWords,
      isSpendLimit,
      isUnknownModel,
      isBadKey,
    },
    hint: requestHint,
    encode: encoder.encode,
    post: ({ chunks }, signal) => postChunks(fetch, url, headers, chunks, signal),
    blame: (body, { messages }, { tools }) => blame(body, messages, tools),
    read: (request) => createAnswerReader(request, name),
    leftOut: (snapshot) => encoder.tools(snapshot).leftOut,
  });
}
