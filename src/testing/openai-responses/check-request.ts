import { isObject } from "../../util/own.ts";
import { errorAnswer } from "../openai-chat/errors.ts";
import type { JsonAnswer } from "../wire-server/api.ts";
import { hasLoneSurrogate, type ReceivedRequest } from "../wire-server/received-request.ts";
import type { IssuedItems } from "./issued-items.ts";
import { unknownParameter } from "./rules/request-view.ts";
import { validateResponsesRequest } from "./validate.ts";

/** Where input tokens are counted. */
export const countPath = "/v1/responses/input_tokens";

/** What is counted of a request (`InputTokenCountParams` of the official package). */
const countFields: ReadonlySet<string> = new Set(
  (
    "conversation input instructions model parallel_tool_calls personality previous_response_id reasoning text " +
    "tool_choice tools truncation"
  ).split(" "),
);

const unreadable =
  "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.";

/** Checks a request's path, its key and its body. */
export function checkRequest(request: ReceivedRequest, issued: IssuedItems): JsonAnswer | null {
  const { method, path, headers, parsed, text } = request;
  const counts = path.endsWith(countPath);
  if (method !== "POST" || !(counts || path.endsWith("/v1/responses"))) {
    return errorAnswer("openai", { status: 404, message: `Invalid URL (${method} ${path})` });
  }
  if (headers.authorization !== "present" && headers["api-key"] !== "present") {
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.";
    return errorAnswer("openai", { status: 401, message });
  }
  if (parsed === undefined || hasLoneSurrogate(text)) return errorAnswer("openai", { message: unreadable });
  const uncounted =
    counts && isObject(parsed) ? Object.keys(parsed).find((name) => !countFields.has(name)) : undefined;
  if (uncounted !== undefined) return errorAnswer("openai", unknownParameter(uncounted));
  const refusal = validateResponsesRequest(parsed, { issued });
  return refusal === null ? null : errorAnswer("openai", refusal);
}
