import { isObject } from "../../util/own.ts";
import { StreamErrorEvent } from "../wire/answer-errors.ts";
import type { ErrorWords } from "../wire/error-words.ts";
import type { EncodedTools } from "../wire/tools.ts";
import { aliasOf } from "./names.ts";

/**
 * The words of an error body of Google's: `{error: {code, message, status, details}}`, alone or in a list. `code` is
 * the reason or the quota that the details name.
 */
export function errorWords(body: unknown): ErrorWords | null {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const error = isObject(first) ? first.error : undefined;
  if (!isObject(error) || typeof error.message !== "string") return null;
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const retryAfterMs = retryDelay(details);
  return {
    text: error.message.trim(),
    code: quotaOf(details) ?? reasonOf(details) ?? "",
    type: typeof error.status === "string" ? error.status : "",
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

type Details = readonly Readonly<Record<string, unknown>>[];

/** The wait of `google.rpc.RetryInfo`, such as `47s` or `3.5s`. */
function retryDelay(details: Details): number | null {
  const delay = details.map((detail) => detail.retryDelay).find((found) => typeof found === "string");
  const seconds = /^(?<seconds>\d{1,7}(?:\.\d{1,9})?)s$/.exec(delay ?? "")?.groups?.seconds;
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

/** The quota of `google.rpc.QuotaFailure` that is longest exhausted. */
function quotaOf(details: Details): string | null {
  const violations = details.flatMap((detail) =>
    Array.isArray(detail.violations) ? detail.violations.filter(isObject) : [],
  );
  const ids = violations.flatMap(({ quotaId }) => (typeof quotaId === "string" ? [quotaId] : []));
  return ids.find((id) => id.includes("PerDay")) ?? ids[0] ?? null;
}

/** The reason of `google.rpc.ErrorInfo`. */
function reasonOf(details: Details): string | null {
  const reason = details.map((detail) => detail.reason).find((found) => typeof found === "string");
  return reason ?? null;
}

/** A quota of a day, or one of nothing at all, is not lifted by waiting. */
export function isSpendLimit({ code, text }: ErrorWords): boolean {
  return code.includes("PerDay") || /, limit: 0\b/.test(text) || code === "BILLING_DISABLED";
}

export function isUnknownModel(status: number, { text }: ErrorWords): boolean {
  return status === 404 && text.includes("models/");
}

/** A wrong key is a 400 here. */
export function isBadKey({ code, text }: ErrorWords): boolean {
  return code === "API_KEY_INVALID" || text.startsWith("API key not valid");
}

/** The alias of the tool that a refusal names. */
export function namedTool(words: string, tools: EncodedTools): string | null {
  const index = /function_declarations\[(?<index>\d{1,6})\]/.exec(words)?.groups?.index;
  const place = tools.tools[Number(index ?? Number.NaN)]?.alias;
  if (place !== undefined) return place;
  const name = /function declaration found: (?<name>[\w.:-]{1,128})/.exec(words)?.groups?.name;
  return name === undefined ? null : aliasOf(name, tools);
}

/** Which tool a refusal is about. */
export function requestHint(words: string, tools: EncodedTools): string {
  const alias = namedTool(words, tools);
  const tool = tools.tools.find((candidate) => candidate.alias === alias);
  return tool === undefined ? "" : `. That tool is "${tool.route.tool}" of the server "${tool.route.server}"`;
}

/** The error that an event of a stream reports. */
export function streamError(event: Readonly<Record<string, unknown>>): StreamErrorEvent {
  const { text, type } = errorWords(event) ?? { text: "", type: "" };
  return new StreamErrorEvent(text, meanings.get(type) ?? "other");
}

const meanings: ReadonlyMap<string, StreamErrorEvent["meaning"]> = new Map([
  ["RESOURCE_EXHAUSTED", "rate_limited" as const],
  ["UNAVAILABLE", "overloaded" as const],
  ["INVALID_ARGUMENT", "rejected" as const],
  ["FAILED_PRECONDITION", "rejected" as const],
]);
