import type { JsonAnswer } from "../wire-server/api.ts";
import { hasLoneSurrogate, type ReceivedRequest } from "../wire-server/received-request.ts";
import { errorAnswer } from "./errors.ts";
import { type ChatServerKind, hostedKinds } from "./server-kind.ts";
import { validateChatRequest } from "./validate.ts";

const unreadable =
  "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.";

/** Checks a request's path, its key and its body. */
export function checkRequest(request: ReceivedRequest, kind: ChatServerKind): JsonAnswer | null {
  const { method, path, headers, parsed, text } = request;
  if (method !== "POST" || !path.endsWith("/v1/chat/completions")) {
    return errorAnswer(kind, { status: 404, message: `Invalid URL (${method} ${path})` });
  }
  if (hostedKinds.has(kind) && headers.authorization !== "present" && headers["api-key"] !== "present") {
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.";
    return errorAnswer(kind, { status: 401, message });
  }
  if (parsed === undefined || hasLoneSurrogate(text)) return errorAnswer(kind, { message: unreadable });
  const refusal = validateChatRequest(parsed, { kind });
  return refusal === null ? null : errorAnswer(kind, refusal);
}
