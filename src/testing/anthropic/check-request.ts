import type { JsonAnswer } from "../wire-server/api.ts";
import { hasLoneSurrogate, type ReceivedRequest } from "../wire-server/received-request.ts";
import { errorAnswer, invalidRequest } from "./errors.ts";
import { type ValidationSettings, validateMessagesRequest } from "./validate.ts";

const bodyLimit = 32 * 1024 * 1024;

/** Checks a request's path, its key, its size and its body. */
export function checkRequest(request: ReceivedRequest, settings: ValidationSettings): JsonAnswer | null {
  return checkHead(request) ?? checkBody(request, settings);
}

/** The betas that a request asks for. */
export function betasOf({ headers }: ReceivedRequest): string[] {
  return (headers["anthropic-beta"] ?? "")
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
}

function checkHead({ method, path, headers }: ReceivedRequest): JsonAnswer | null {
  if (method !== "POST" || path !== "/v1/messages") return errorAnswer(404, "not_found_error", "Not Found");
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
