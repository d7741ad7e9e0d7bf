import { HostError, type HostErrorData } from "../../errors.ts";
import type { HostErrorCode } from "../../types/error.ts";
import { isObject } from "../../util/own.ts";
import { visibleLine } from "../../util/visible.ts";
import type { ModelFailure } from "../retry.ts";
import { BrokenAnswer, StreamErrorEvent, UnexpectedAnswer } from "./answer-errors.ts";
import { type ErrorWords, firstLine, withoutKey } from "./error-words.ts";
import { withRetryAfter } from "./retry-after.ts";
import { isTooLong } from "./too-long.ts";

/** What the sentences of errors name, and what an API's own words mean. */
export interface ErrorContext {
  /** The API in a sentence, such as `the Messages API`. */
  readonly apiName: string;
  readonly model: string;
  /** Host of the base URL. */
  readonly host: string;
  readonly apiKey: string;
  /** What to do about a refused key, in a sentence, such as `Check ANTHROPIC_API_KEY.` */
  readonly keyAdvice: string;
  /** Milliseconds since the epoch. */
  wall(): number;
  /** The API's own words in the parsed body of an error, or null when the body is none of its errors. */
  wordsOf(body: unknown): ErrorWords | null;
  /** Whether waiting does not lift the limit that a 429 tells of. */
  isSpendLimit(words: ErrorWords): boolean;
  /** Whether an error of a status that other refusals have too is about the key. */
  isBadKey?(words: ErrorWords): boolean;
  /** Whether an error says that there is no such model. */
  isUnknownModel(status: number, words: ErrorWords): boolean;
  /** Whether an error of the server itself is a refusal that no other attempt changes. */
  isRefusal?(words: ErrorWords): boolean;
  /** What to add to a refused request: which tool it is about, or what the model cannot do. Empty for nothing. */
  hint(words: string): string;
}

/** Puts a failure into words: a code, a sentence without secrets, whether another attempt may help, facts. */
type Fail = (code: HostErrorCode, message: string, retry: boolean, data?: HostErrorData) => ModelFailure;

/**
 * An answer whose status is no success, as `postChunks` and the official SDKs throw it: `error` is the parsed body, if
 * it was JSON, else `message` holds its text.
 */
interface StatusError {
  readonly status: number;
  readonly error?: unknown;
  readonly message?: unknown;
  readonly headers?: unknown;
}

const wordsLimit = 2000;

/** Says what a failed attempt means, and puts it into a sentence without secrets. */
export function classifyFailure(thrown: unknown, context: ErrorContext): ModelFailure {
  const fail: Fail = (code, message, retry, data = {}) => ({
    error: new HostError(code, onOneLine(withoutKey(message, context.apiKey)), { cause: thrown, data }),
    retry,
  });
  if (thrown instanceof HostError) return { error: thrown, retry: false };
  if (thrown instanceof UnexpectedAnswer) return fail("model_bad_response", thrown.message, false);
  if (thrown instanceof BrokenAnswer) return fail("model_bad_response", thrown.message, true);
  if (thrown instanceof StreamErrorEvent) return streamFailure(thrown, context.apiKey, fail);
  if (isObject(thrown) && typeof thrown.status === "number" && thrown.status > 0) {
    return statusFailure(thrown as unknown as StatusError, context, fail);
  }
  const cause = rootCause(thrown, context.apiKey);
  return fail(
    "model_unreachable",
    `${context.host} cannot be reached: ${cause}. Check the network and the base URL.`,
    true,
  );
}

/** For whoever can make the conversation shorter. */
const tooLong = { reason: "context_exceeded" } as const;

/** What an API says may hold line breaks, and characters that redraw a terminal. */
function onOneLine(message: string): string {
  return visibleLine(message.replace(/\s+/g, " "));
}

function streamFailure(thrown: StreamErrorEvent, apiKey: string, fail: Fail): ModelFailure {
  const words = withoutKey(thrown.message, apiKey).slice(0, wordsLimit);
  const message = `The API broke off its answer: ${words}`;
  switch (thrown.meaning) {
    case "overloaded":
      return fail("model_overloaded", message, true);
    case "rate_limited":
      return fail("model_rate_limited", message, true);
    case "rejected":
      return fail("model_rejected", message, false, isTooLong(words) ? tooLong : {});
    default:
      return fail("model_bad_response", message, true);
  }
}

function statusFailure(thrown: StatusError, context: ErrorContext, fail: Fail): ModelFailure {
  const { status } = thrown;
  const json = context.wordsOf(thrown.error);
  const words = json ?? pageWords(thrown, context.apiKey);
  // Cut behind the key's removal: half a key is one that nobody finds.
  const text = withoutKey(words.text, context.apiKey).slice(0, wordsLimit);
  const facts = {
    status,
    ...(words.code === "" ? {} : { errorCode: visibleLine(words.code.slice(0, 100)) }),
  };
  const said = text === "" ? `status ${status}` : `${text} (${status})`;
  if (status === 401 || (json !== null && (status === 403 || context.isBadKey?.(words) === true))) {
    return fail("model_auth", `The API refused the key: ${said}. ${context.keyAdvice}`, false, facts);
  }
  if (status === 402) return fail("model_spend_limit", `The account cannot pay: ${said}.`, false, facts);
  if (status === 429 && context.isSpendLimit(words)) {
    return fail("model_spend_limit", `The account has reached its spend limit: ${said}.`, false, facts);
  }
  if (json !== null && status >= 500 && context.isRefusal?.(words) === true) {
    return fail("model_rejected", `The API refused the request: ${said}${context.hint(text)}.`, false, facts);
  }
  if (status === 429 || status === 408 || status === 409 || status >= 500) {
    const failure =
      status === 429
        ? fail("model_rate_limited", `The API limits the rate: ${said}.`, true, facts)
        : fail("model_overloaded", `The API has trouble: ${said}.`, true, facts);
    const { retryAfterMs } = words;
    const asked = retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
    return withRetryAfter(asked, thrown.headers, context.wall());
  }
  if (status === 413) {
    const message = `The request is too large for the API: ${said}. Shorten the conversation.`;
    return fail("model_rejected", message, false, { ...facts, ...tooLong });
  }
  if (json === null) {
    const message = `${context.host} does not answer as ${context.apiName} does: ${said}. Check the base URL.`;
    return fail("model_bad_response", message, false, facts);
  }
  if (context.isUnknownModel(status, words)) {
    return fail("model_unknown", `The API does not know the model ${context.model}: ${said}.`, false, facts);
  }
  const reason = isTooLong(`${words.code} ${text}`) ? tooLong : {};
  return fail("model_rejected", `The API refused the request: ${said}${context.hint(text)}.`, false, {
    ...facts,
    ...reason,
  });
}

/** Of a page that is no error of the API, its first line of text. */
function pageWords({ message }: StatusError, apiKey: string): ErrorWords {
  // An SDK puts the status in front of what it read, and says so when there was nothing.
  const text = typeof message === "string" ? message.replace(/^\d{3} (?:status code \(no body\)$)?/, "") : "";
  return { text: firstLine(text, apiKey), code: "", type: "" };
}

/** The innermost message: `fetch` and SDKs wrap what the socket said. */
function rootCause(thrown: unknown, apiKey: string): string {
  let found = thrown;
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth += 1) {
    found = found.cause;
  }
  const message = found instanceof Error ? found.message : String(found);
  const code = found instanceof Error && "code" in found ? String(found.code) : "";
  const said = withoutKey(message || code || "the connection failed", apiKey);
  return said.slice(0, 300).replace(/\.$/, "");
}
