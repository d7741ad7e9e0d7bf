import type { JsonAnswer, RefusingFault } from "../wire-server/api.ts";
import type { RuleRefusal } from "./rules/request-view.ts";
import type { ChatServerKind } from "./server-kind.ts";

/** An error in the form of one kind of server. */
export function errorAnswer(
  kind: ChatServerKind,
  refusal: RuleRefusal,
  headers: Readonly<Record<string, string>> = {},
): JsonAnswer {
  const { message, param = null, code = null, type = "invalid_request_error", status = 400 } = refusal;
  return { status, headers: { "x-request-id": "req_refused", ...headers }, body: bodyOf() };

  function bodyOf(): object {
    if (kind === "mistral" && status === 422) {
      return { detail: [{ type: code, loc: ["body", param], msg: message, input: null }] };
    }
    if (kind === "mistral") return { object: "error", message, type, param, code, raw_status_code: status };
    if (kind === "llamacpp") return { error: { code: status, message, type } };
    if (kind === "openrouter") return { error: { code: status, message } };
    return { error: { message, type, param, code } };
  }
}

/** The error that stands for a fault. */
export function faultAnswer(kind: ChatServerKind, fault: RefusingFault): JsonAnswer {
  switch (fault.type) {
    case "rate_limited": {
      const headers: Record<string, string> =
        fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      const message = "Rate limit reached for requests. Please try again later.";
      const refusal = { status: 429, message, type: "requests", code: "rate_limit_exceeded" };
      return errorAnswer(kind, refusal, headers);
    }
    case "spend_limit": {
      if (kind === "openrouter") return errorAnswer(kind, { status: 402, message: "Insufficient credits" });
      if (kind === "deepseek") return errorAnswer(kind, { status: 402, message: "Insufficient Balance" });
      const message = "You exceeded your current quota, please check your plan and billing details.";
      return errorAnswer(kind, {
        status: 429,
        message,
        type: "insufficient_quota",
        code: "insufficient_quota",
      });
    }
    case "overloaded":
      return errorAnswer(kind, {
        status: 503,
        message: "The server is currently overloaded with other requests.",
        type: "server_error",
      });
    case "unauthorized":
      return errorAnswer(kind, {
        status: 401,
        message: "Incorrect API key provided. You can find your API key in your account's settings.",
        code: "invalid_api_key",
      });
    default:
      return errorAnswer(kind, { status: fault.status, message: fault.message, type: fault.kind });
  }
}
