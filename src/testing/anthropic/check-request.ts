import { isObject } from "../../util/own.ts";
import type { JsonAnswer } from "../wire-server/api.ts";
import { hasLoneSurrogate, type ReceivedRequest } from "../wire-server/received-request.ts";
import { countInputTokens } from "./count-tokens.ts";
import { errorAnswer, invalidRequest } from "./errors.ts";
import { modelFacts } from "./model-facts.ts";
import { type ValidationSettings, validateMessagesRequest } from "./validate.ts";

const bodyLimit = 32 * 1024 * 1024;

const countPath = "/v1/messages/count_tokens";

/** Checks a request's path, its key, its size and its body; one that only counts is answered here. */
export function checkRequest(request: ReceivedRequest, settings: ValidationSettings): JsonAnswer | null {
  const refusal = checkHead(request);
  if (refusal !== null) return refusal;
  return request.path === countPath ? countTokens(request, settings) : checkBody(request, settings);
}

/** The tokens of a request that could be sent; it holds nothing that is about an answer. */
function countTokens(request: ReceivedRequest, settings: ValidationSettings): JsonAnswer {
  const { parsed } = request;
  const body = isObject(parsed) ? parsed : {};
  const extra = ["max_tokens", "stream"].find((name) => Object.hasOwn(body, name));
  if (extra !== undefined) return invalidRequest(`${extra}: Extra inputs are not permitted`);
  const model = { ...settings.model, contextTokens: Number.POSITIVE_INFINITY };
  const room = { ...modelFacts(body.model), ...model }.outputTokens;
  const sent = isObject(parsed) ? { ...parsed, max_tokens: room } : parsed;
  const refusal = checkBody({ ...request, parsed: sent }, { ...settings, model });
  return refusal ?? { status: 200, body: { input_tokens: countInputTokens(body) } };
}

/** The betas that a request asks for. */
export function betasOf({ headers }: ReceivedRequest): string[] {
  return (headers["anthropic-beta"] ?? "")
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
}

function checkHead({ method, path, headers }: ReceivedRequest): JsonAnswer | null {
  const known = path === "/v1/messages" || path === countPath;
  if (method !== "POST" || !known) return errorAnswer(404, "not_found_error", "Not Found");
  if (headers["x-api-key"] !== "present" && headers.authorization !== "present") {
    return errorAnswer(401, "authentication_error", "x-api-key header is required");
  }
  if (!headers["anthropic-version"]) return invalidRequest("anthropic-version: header is required");
  return null;
}

function checkBody(
  { byteLength, text, parsed }: ReceivedRequest,
  settings: ValidationSettings,
): JsonAnswer | null {
  if (byteLength > bodyLimit) {
    const message = "Request exceeds the maximum allowed number of bytes.";
    return errorAnswer(413, "request_too_large", message);
  }
  if (parsed === undefined) return invalidRequest("The request body is not valid JSON");
  if (hasLoneSurrogate(text)) {
    return invalidRequest("The request body is not valid JSON: no low surrogate in string");
  }
  const refusal = validateMessagesRequest(parsed, settings);
  if (refusal === null) return null;
  const { status, message, details } = refusal;
  return errorAnswer(status, "invalid_request_error", message, details === undefined ? {} : { details });
}
