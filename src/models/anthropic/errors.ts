import { textOfJson } from "../../util/json-text.ts";
import { isObject, own } from "../../util/own.ts";
import { StreamErrorEvent } from "../wire/answer-errors.ts";
import type { ErrorWords } from "../wire/error-words.ts";
import type { EncodedTools } from "../wire/tools.ts";

/** Error codes of limits that waiting does not lift (the SDK's `ErrorCode` of status 429). */
const spendCodes: ReadonlySet<string> = new Set([
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
]);

/** The API's own words: `{type: "error", error: {type, message, details: {error_code}}}`. */
export function errorWords(body: unknown): ErrorWords | null {
  if (!isObject(body) || !isObject(body.error)) return null;
  const { error } = body;
  const details = isObject(error.details) ? error.details : {};
  return {
    text: textOfJson(error.message ?? ""),
    code: textOfJson(own(details, "error_code") ?? ""),
    type: textOfJson(error.type ?? ""),
  };
}

export function isSpendLimit({ code }: ErrorWords): boolean {
  return spendCodes.has(code);
}

export function isUnknownModel(status: number, { type }: ErrorWords): boolean {
  return status === 404 && type === "not_found_error";
}

/** Which tool `tools.3.custom…` is. */
export function toolHint(words: string, tools: EncodedTools): string {
  const found = /^tools\.(\d{1,6})\./.exec(words);
  const route = found === null ? undefined : tools.tools[Number(found[1])]?.route;
  return route === undefined ? "" : `. That tool is "${route.tool}" of the server "${route.server}"`;
}

const meanings: Readonly<Record<string, StreamErrorEvent["meaning"]>> = {
  overloaded_error: "overloaded",
  rate_limit_error: "rate_limited",
  invalid_request_error: "rejected",
};

/** The error that an `error` event of a stream reports. */
export function streamError(error: unknown): StreamErrorEvent {
  const message = isObject(error) && typeof error.message === "string" ? error.message : "";
  const type = isObject(error) ? textOfJson(error.type) : "";
  return new StreamErrorEvent(message, own(meanings, type) ?? "other");
}
