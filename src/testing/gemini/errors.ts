import type { JsonAnswer, RefusingFault } from "../wire-server/api.ts";
import type { GeminiRefusal } from "./rules/request-view.ts";

/** Google's names of statuses. */
const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** The body of an error in Google's form. */
export function errorBody(status: number, message: string, details: readonly object[] = []): object {
  const name = statuses[status] ?? (status < 500 ? "FAILED_PRECONDITION" : "INTERNAL");
  return {
    error: { code: status, message, status: name, ...(details.length === 0 ? {} : { details }) },
  };
}

export function refusalAnswer({ message, status = 400, violations }: GeminiRefusal): JsonAnswer {
  const details =
    violations === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations }];
  return { status, body: errorBody(status, message, details) };
}

const quotaMessage =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";

function quota(id: string): object {
  return {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    violations: [
      { quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests", quotaId: id },
    ],
  };
}

function retryInfo(seconds: number): object {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` };
}

/** The error that stands for a fault. */
export function faultAnswer(fault: RefusingFault): JsonAnswer {
  switch (fault.type) {
    case "rate_limited": {
      const details = [
        quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
        ...(fault.retryAfter === undefined ? [] : [retryInfo(fault.retryAfter)]),
      ];
      return { status: 429, body: errorBody(429, quotaMessage, details) };
    }
    case "spend_limit": {
      const details = [quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo(47)];
      return { status: 429, body: errorBody(429, quotaMessage, details) };
    }
    case "overloaded":
      return { status: 503, body: errorBody(503, "The model is overloaded. Please try again later.") };
    case "unauthorized": {
      const detail = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "API_KEY_INVALID",
        domain: "googleapis.com",
        metadata: { service: "generativelanguage.googleapis.com" },
      };
      const message = "API key not valid. Please pass a valid API key.";
      return { status: 400, body: errorBody(400, message, [detail]) };
    }
    default:
      return { status: fault.status, body: errorBody(fault.status, fault.message) };
  }
}
