import type { JsonAnswer, RefusingFault } from "../wire-server/api.ts";

/** An error in the API's form. */
export function errorAnswer(
  status: number,
  kind: string,
  message: string,
  extra: { readonly headers?: Readonly<Record<string, string>>; readonly details?: object } = {},
): JsonAnswer {
  const details = extra.details === undefined ? {} : { details: extra.details };
  return {
    status,
    headers: { "request-id": "req_refused", ...extra.headers },
    body: { type: "error", error: { type: kind, message, ...details }, request_id: "req_refused" },
  };
}

export function invalidRequest(message: string): JsonAnswer {
  return errorAnswer(400, "invalid_request_error", message);
}

/** The error that stands for a fault. */
export function faultAnswer(fault: RefusingFault): JsonAnswer {
  switch (fault.type) {
    case "rate_limited": {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      return errorAnswer(429, "rate_limit_error", "This request would exceed your rate limit.", { headers });
    }
    case "spend_limit":
      return errorAnswer(429, "rate_limit_error", "You have reached your specified API usage limits.", {
        details: { error_code: "enforced_spend_limit_reached" },
      });
    case "overloaded":
      return errorAnswer(529, "overloaded_error", "Overloaded");
    case "unauthorized":
      return errorAnswer(401, "authentication_error", "invalid x-api-key");
    default:
      return errorAnswer(
        fault.status,
        fault.kind,
        fault.message,
        fault.details === undefined ? {} : { details: fault.details },
      );
  }
}
