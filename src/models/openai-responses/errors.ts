import { HostError } from "../../errors.ts";
import { isObject } from "../../util/own.ts";
import { isSpendLimit } from "../openai-chat/errors.ts";
import { StreamErrorEvent } from "../wire/answer-errors.ts";
import { commonErrorWords, type ErrorWords } from "../wire/error-words.ts";

const overloadCodes: ReadonlySet<string> = new Set(["server_is_overloaded", "slow_down", "overloaded_error"]);
const passingCodes: ReadonlySet<string> = new Set(["", "server_error", "internal_error", "upstream_error"]);

/**
 * The error that a stream reports, in its event `error` or as the reason of a failed response. Trouble of the server is
 * met by another attempt; a limit of the account, and anything about the request itself, is not.
 */
export function streamError(holder: unknown): Error {
  const nested = isObject(holder) && isObject(holder.error) ? holder.error : holder;
  const words = commonErrorWords(nested) ?? { text: "", code: "", type: "" };
  if (isSpendLimit(words)) {
    return new HostError("model_spend_limit", `The account has reached its spend limit: ${words.text}`);
  }
  return new StreamErrorEvent(words.text, meaningOf(words));
}

function meaningOf({ code, type }: ErrorWords): StreamErrorEvent["meaning"] {
  if (code === "rate_limit_exceeded") return "rate_limited";
  if (overloadCodes.has(code)) return "overloaded";
  // The type of the event itself says nothing.
  return passingCodes.has(code) && type !== "invalid_request_error" ? "other" : "rejected";
}
