import { HostError, type HostErrorData } from "../../errors.ts";
import type { HostErrorCode } from "../../types/error.ts";
import { isObject, own } from "../../util/own.ts";
import type { ModelFailure } from "../retry.ts";

/** The stream ended, or could not be read, before the answer was complete. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** The API reported an error in the middle of a stream. */
export class StreamErrorEvent extends Error {
  override readonly name = "StreamErrorEvent";
  readonly type: string;

  constructor(error: unknown) {
    super(
      isObject(error) && typeof error.message === "string" ? error.message : "an error without a message",
    );
    this.type = isObject(error) && typeof error.type === "string" ? error.type : "api_error";
  }
}

/** The API, or something in front of it, answered with something that is no stream. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
}

/** What the sentences of errors name. */
export interface ErrorContext {
  readonly model: string;
  /** Host of the base URL. */
  readonly host: string;
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  wall(): number;
  /** The server and tool behind a place in the request's list, for a refusal that names only the place. */
  toolAt(index: number): string | null;
}

/** Error codes of limits that waiting does not lift (the SDK's `ErrorCode` of status 429). */
const spendCodes: ReadonlySet<string> = new Set([
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
]);

const wordsLimit = 2000;

/** Says what a failed attempt means, and puts it into a sentence without secrets. Statuses are those of the API's page on errors. */
export function classifyFailure(thrown: unknown, context: ErrorContext): ModelFailure {
  const fail = (
    code: HostErrorCode,
    message: string,
    retry: boolean,
    data: HostErrorData = {},
  ): ModelFailure => ({
    error: new HostError(code, withoutKey(message, context), { cause: thrown, data }),
    retry,
  });
  if (thrown instanceof HostError) return { error: thrown, retry: false };
  if (thrown instanceof UnexpectedAnswer) return fail("model_bad_response", thrown.message, false);
  if (thrown instanceof BrokenAnswer) return fail("model_bad_response", thrown.message, true);
  if (thrown instanceof StreamErrorEvent) return streamFailure(thrown, fail);
  const status = isObject(thrown) && typeof thrown.status === "number" ? thrown.status : 0;
  if (status > 0) return statusFailure(status, thrown as Record<string, unknown>, context, fail);
  const cause = rootCause(thrown);
  return fail(
    "model_unreachable",
    `${context.host} cannot be reached: ${cause}. Check the network and the base URL.`,
    true,
  );
}

type Fail = (code: HostErrorCode, message: string, retry: boolean, data?: HostErrorData) => ModelFailure;

function streamFailure(thrown: StreamErrorEvent, fail: Fail): ModelFailure {
  const message = `The API broke off its answer: ${thrown.message}`;
  if (thrown.type === "overloaded_error") return fail("model_overloaded", message, true);
  if (thrown.type === "rate_limit_error") return fail("model_rate_limited", message, true);
  if (thrown.type === "invalid_request_error") return fail("model_rejected", message, false);
  return fail("model_bad_response", message, true);
}

/** An error of the SDK with an HTTP status. */
function statusFailure(
  status: number,
  thrown: Record<string, unknown>,
  context: ErrorContext,
  fail: Fail,
): ModelFailure {
  const { words, code, type, json } = wordsOf(thrown);
  const facts = { status, ...(code === "" ? {} : { errorCode: code }) };
  const said = words === "" ? `status ${status}` : `${words} (${status})`;
  if (status === 401 || (status === 403 && json)) {
    return fail("model_auth", `The API refused the key: ${said}. Check ANTHROPIC_API_KEY.`, false, facts);
  }
  if (status === 402) return fail("model_spend_limit", `The account cannot pay: ${said}.`, false, facts);
  if (status === 429) return rateFailure(thrown, said, code, facts, context, fail);
  if (status === 408 || status === 409 || status >= 500) {
    const failure = fail("model_overloaded", `The API has trouble: ${said}.`, true, facts);
    return withRetryAfter(failure, thrown, context);
  }
  if (status === 413) {
    return fail(
      "model_rejected",
      `The request is too large for the API: ${said}. Shorten the conversation.`,
      false,
      facts,
    );
  }
  if (!json) {
    const message = `${context.host} does not answer as the Messages API does: ${said}. Check the base URL.`;
    return fail("model_bad_response", message, false, facts);
  }
  if (status === 404 && type === "not_found_error") {
    return fail("model_unknown", `The API does not know the model ${context.model}: ${said}.`, false, facts);
  }
  return fail(
    "model_rejected",
    `The API refused the request: ${said}${toolHint(words, context)}.`,
    false,
    facts,
  );
}

function rateFailure(
  thrown: Record<string, unknown>,
  said: string,
  code: string,
  facts: HostErrorData,
  context: ErrorContext,
  fail: Fail,
): ModelFailure {
  if (spendCodes.has(code)) {
    return fail("model_spend_limit", `The account has reached its spend limit: ${said}.`, false, facts);
  }
  const failure = fail("model_rate_limited", `The API limits the rate: ${said}.`, true, facts);
  return withRetryAfter(failure, thrown, context);
}

/** The API's own words; of a page that is no JSON, its first line of text. */
function wordsOf(thrown: Record<string, unknown>): {
  readonly words: string;
  readonly code: string;
  readonly type: string;
  readonly json: boolean;
} {
  const body = isObject(thrown.error) ? thrown.error : null;
  const error = body !== null && isObject(body.error) ? body.error : null;
  if (error !== null) {
    const details = isObject(error.details) ? error.details : {};
    return {
      words: String(error.message ?? "").slice(0, wordsLimit),
      code: String(own(details, "error_code") ?? ""),
      type: String(error.type ?? ""),
      json: true,
    };
  }
  const message = typeof thrown.message === "string" ? thrown.message : "";
  // The SDK puts the status in front of what it read.
  return { words: firstLine(message.replace(/^\d{3} /, "")), code: "", type: "", json: false };
}

/** The first line with words in it, without markup. */
export function firstLine(text: string): string {
  for (const line of text.slice(0, 10_000).split("\n")) {
    const words = line
      .replace(/<[^<>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (words !== "") return words.slice(0, 200);
  }
  return "";
}

/** Which tool `tools.3.custom…` is. */
function toolHint(words: string, context: ErrorContext): string {
  const found = /^tools\.(\d{1,6})\./.exec(words);
  const tool = found === null ? null : context.toolAt(Number(found[1]));
  return tool === null ? "" : `. That tool is ${tool}`;
}

function withRetryAfter(
  failure: ModelFailure,
  thrown: Record<string, unknown>,
  context: ErrorContext,
): ModelFailure {
  const { headers } = thrown;
  if (!(headers instanceof Headers)) return failure;
  if (headers.get("x-should-retry") === "false") return { ...failure, retry: false };
  const retryAfterMs = waitMs(headers, context.wall());
  return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitMs(headers: Headers, now: number): number | null {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers.get("retry-after") ?? "";
  if (/^[\d.]+$/.test(value)) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The innermost message: the SDK wraps what the socket said. */
function rootCause(thrown: unknown): string {
  let found = thrown;
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth += 1) {
    found = found.cause;
  }
  const message = found instanceof Error ? found.message : String(found);
  const code = found instanceof Error && "code" in found ? String(found.code) : "";
  return (message || code || "the connection failed").slice(0, 300).replace(/\.$/, "");
}

function withoutKey(message: string, context: ErrorContext): string {
  return context.apiKey.length < 8 ? message : message.replaceAll(context.apiKey, "⟨key⟩");
}
