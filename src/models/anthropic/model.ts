import type { HostAnswer } from "../../types/fetch.ts";
import type { Model } from "../../types/model.ts";
import { withoutEnd } from "../../util/without-end.ts";
import { createWireModel, type WireModelSettings } from "../wire/model.ts";
import { postChunks } from "../wire/post.ts";
import { claudeWindows } from "../wire/window-facts.ts";
import { blame } from "./blame.ts";
import { createCacheDiagnosis } from "./cache-diagnosis.ts";
import { errorWords, isSpendLimit, isUnknownModel, toolHint } from "./errors.ts";
import { createRequestEncoder } from "./request.ts";
import { createAnswerReader } from "./stream.ts";
import { encodeTools } from "./tools.ts";

/** The version of the API that this adapter is written for. */
const apiVersion = "2026-10-21";

/** How a Claude model is reached. */
export interface AnthropicSettings extends WireModelSettings {
  /** `/v1/messages` is appended, unless it ends with the version already. Default: the public API. */
  readonly baseUrl?: string;
}

/** A model of the Anthropic Messages API; see `createWireModel` for its errors. */
export function createAnthropicModel(settings: AnthropicSettings): Model {
  const baseUrl = withoutEnd(settings.baseUrl ?? "https://api.anthropic.com", "/").replace(/\/v1$/, "");
  const headers = { "anthropic-version": apiVersion, authorization: `Bearer ${settings.apiKey}` };
  const post = (path: string, chunks: readonly Uint8Array[], signal: AbortSignal): Promise<HostAnswer> =>
    postChunks(settings.fetch, `${baseUrl}${path}`, headers, chunks, signal);
  const diagnosis = createCacheDiagnosis();
  const encode = createRequestEncoder(settings.name, diagnosis);
  return createWireModel(settings, {
    api: "anthropic",
    toolResultImages: true,
    windows: claudeWindows,
    counter: {
      post: (request, signal) => post("/v1/messages/count_tokens", encode(request, "count").chunks, signal),
      read: ({ input_tokens: tokens }) => tokens,
    },
    errors: {
      apiName: "the Messages API",
      host: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
      keyAdvice: "Check ANTHROPIC_API_KEY.",
      wordsOf: errorWords,
      isSpendLimit,
      isUnknownModel,
    },
    hint: toolHint,
    encode: (request) => encode(request),
    post: ({ chunks }, signal) => post("/v1/messages", chunks, signal),
    blame(body, request, { tools }) {
      const culprits = blame(body, request, tools, settings.name);
      // Servers that follow the API at a distance do not know the field.
      return culprits.some(({ type }) => type === "own") && !diagnosis.stop() ? [] : culprits;
    },
    read: (request) => createAnswerReader(request, settings.name, diagnosis),
    leftOut: (snapshot) => encodeTools(snapshot).leftOut,
  });
}
