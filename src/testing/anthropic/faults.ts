import type { ServerResponse } from "node:http";
import { refuse } from "./respond.ts";
import type { SimulatedFault } from "./turns.ts";

/** Answers a request with a fault that is no stream. Returns the status, 0 when nothing was answered. */
export function answerFault(response: ServerResponse, fault: SimulatedFault): number {
  switch (fault.type) {
    case "rate_limited": {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      refuse(response, 429, "rate_limit_error", "This request would exceed your rate limit.", { headers });
      return 429;
    }
    case "spend_limit":
      refuse(response, 429, "rate_limit_error", "You have reached your specified API usage limits.", {
        details: { error_code: "enforced_spend_limit_reached" },
      });
      return 429;
    case "overloaded":
      refuse(response, 529, "overloaded_error", "Overloaded");
      return 529;
    case "unauthorized":
      refuse(response, 401, "authentication_error", "invalid x-api-key");
      return 401;
    case "refused":
      refuse(response, fault.status, fault.kind, fault.message);
      return fault.status;
    case "html":
      response.writeHead(fault.status, { "content-type": "text/html" });
      response.end(
        `<html>\r\n<head><title>${fault.status} Request refused</title></head>\r\n<body>proxy</body></html>`,
      );
      return fault.status;
    default:
      response.destroy();
      return 0;
  }
}
