import type { JsonAnswer } from "../wire-server/api.ts";
import { hasLoneSurrogate, type ReceivedRequest } from "../wire-server/received-request.ts";
import { countedRequest } from "./count-tokens.ts";
import { errorBody, refusalAnswer } from "./errors.ts";
import { type GeminiValidationSettings, validateGeminiRequest } from "./validate.ts";

/** What a path asks for. */
export interface Asked {
  readonly model: string;
  readonly method: "generateContent" | "streamGenerateContent" | "countTokens";
}

const path = /^\/v1(?:beta)?\/models\/(?<model>[\w.%-]+):(?<method>(?:streamG|g)enerateContent|countTokens)$/;

/** The model and the method of a path, or null for any other path. */
export function askedOf(request: ReceivedRequest): Asked | null {
  const { model, method } = path.exec(request.path)?.groups ?? {};
  if (request.method !== "POST" || model === undefined || method === undefined) return null;
  return { model: decodeURIComponent(model), method: method as Asked["method"] };
}

const withoutKey =
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";

/** Checks a request's path, its key and its body. */
export function checkRequest(
  request: ReceivedRequest,
  settings: Pick<GeminiValidationSettings, "signerOf">,
): JsonAnswer | null {
  const { headers, parsed, text } = request;
  const asked = askedOf(request);
  if (asked === null) {
    return { status: 404, body: errorBody(404, "Requested entity was not found.") };
  }
  if (headers["x-goog-api-key"] !== "present" && headers.authorization !== "present") {
    return { status: 403, body: errorBody(403, withoutKey) };
  }
  if (!asked.model.includes("-")) {
    const message = `models/${asked.model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
    return { status: 404, body: errorBody(404, message) };
  }
  if (parsed === undefined || hasLoneSurrogate(text)) {
    return { status: 400, body: errorBody(400, "Invalid JSON payload received. Unexpected token.") };
  }
  const counted = asked.method === "countTokens" ? countedRequest(parsed, asked.model) : { body: parsed };
  if ("message" in counted) return refusalAnswer(counted);
  const refusal = validateGeminiRequest(counted.body, { model: asked.model, ...settings });
  return refusal === null ? null : refusalAnswer(refusal);
}
