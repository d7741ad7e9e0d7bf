import { HostError } from "../../errors.ts";
import type { HostErrorCode } from "../../types/error.ts";
import { isObject } from "../../util/own.ts";
import * as anthropic from "../anthropic/errors.ts";
import * as openai from "../openai-chat/errors.ts";
import type { ModelFailure } from "../retry.ts";
import { StreamErrorEvent } from "../wire/answer-errors.ts";
import { commonErrorWords, type ErrorWords } from "../wire/error-words.ts";
import { classifyFailure, type ErrorContext } from "../wire/failures.ts";

/** What failures are told of. */
export interface FailureContext {
  readonly provider: string;
  readonly model: string;
  wall(): number;
  /** See `ErrorContext.hint`. */
  hint(words: string): string;
}

/** What errors of the AI SDK that carry no status mean, by their names. */
const namedErrors: Readonly<Record<string, readonly [code: HostErrorCode, retry: boolean]>> = {
  AI_LoadAPIKeyError: ["model_key_missing", false],
  AI_NoSuchModelError: ["model_unknown", false],
  AI_EmptyResponseBodyError: ["model_bad_response", true],
  AI_InvalidResponseDataError: ["model_bad_response", true],
  AI_JSONParseError: ["model_bad_response", true],
  AI_NoContentGeneratedError: ["model_bad_response", true],
  AI_TypeValidationError: ["model_bad_response", true],
};

/**
 * Says what a failed attempt means. Errors of the shape of `APICallError` (`statusCode`, `responseHeaders`,
 * `responseBody`, `isRetryable`) are read like the answers of an API; `isRetryable: false` forbids another attempt.
 */
export function classifyLanguageModelFailure(thrown: unknown, context: FailureContext): ModelFailure {
  const named = isObject(thrown) ? namedErrors[String(thrown.name)] : undefined;
  if (named !== undefined) {
    const [code, retry] = named;
    const message = `${context.provider}: ${messageOf(thrown)}`.slice(0, 2_000);
    return { error: new HostError(code, message, { cause: thrown }), retry };
  }
  const isCallError = isObject(thrown) && ("statusCode" in thrown || "isRetryable" in thrown);
  if (!isCallError && isObject(thrown) && /^AI_\w+Error$/.test(String(thrown.name))) {
    const message = `${context.provider} refused the request: ${messageOf(thrown)}`.slice(0, 2_000);
    return { error: new HostError("model_rejected", message, { cause: thrown }), retry: false };
  }
  const failure = classifyFailure(isCallError ? asStatusError(thrown) : thrown, errorContext(context));
  return isCallError && thrown.isRetryable === false ? { ...failure, retry: false } : failure;
}

function messageOf(thrown: unknown): string {
  return isObject(thrown) && typeof thrown.message === "string" ? thrown.message : String(thrown);
}

/** The error in the form that the failures of all adapters are read in. */
function asStatusError(thrown: Readonly<Record<string, unknown>>): unknown {
  if (typeof thrown.statusCode !== "number") return thrown;
  const body = typeof thrown.responseBody === "string" ? thrown.responseBody : "";
  const error = parsed(body) ?? thrown.data;
  // The body of a proxy's page has more words than the message that was made of it.
  const message = error === undefined && body !== "" ? body : thrown.message;
  return { status: thrown.statusCode, error, message, headers: headersOf(thrown.responseHeaders) };
}

function headersOf(headers: unknown): Headers {
  const found = new Headers();
  for (const name of ["retry-after", "retry-after-ms", "x-should-retry"]) {
    const value = isObject(headers) ? headers[name] : undefined;
    if (typeof value === "string") found.set(name, value);
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorContext({ provider, model, wall, hint }: FailureContext): ErrorContext {
  return {
    apiName: "a model's API",
    model,
    host: provider,
    apiKey: "",
    keyAdvice: "Check the key that the model object was made with.",
    wall,
    wordsOf: (body) => preciseWords(body) ?? commonErrorWords(body),
    isSpendLimit: (words) => openai.isSpendLimit(words) || anthropic.isSpendLimit(words),
    isUnknownModel: (status, words) =>
      openai.isUnknownModel(status, words) || anthropic.isUnknownModel(status, words),
    hint,
  };
}

/** Anthropic's words, whose codes stand among the details. */
function preciseWords(body: unknown): ErrorWords | null {
  const words = anthropic.errorWords(body);
  return words === null || words.code === "" ? null : words;
}

/** What a part `error` of a stream throws: an error of a call as it is, anything else by its words. */
export function partError(error: unknown): unknown {
  if (error instanceof Error && ("statusCode" in error || error.name.startsWith("AI_"))) return error;
  const found = typeof error === "string" ? (parsed(error) ?? error) : error;
  const told = isObject(found) && isObject(found.error) ? found.error : found;
  const words = commonErrorWords(told) ?? {
    text: error instanceof Error ? error.message : String(found),
    code: "",
    type: "",
  };
  if (openai.isSpendLimit(words)) {
    return new HostError("model_spend_limit", `The account has reached its spend limit: ${words.text}`);
  }
  return new StreamErrorEvent(words.text, meaningOf(words));
}

function meaningOf({ code, type }: ErrorWords): StreamErrorEvent["meaning"] {
  const told = `${code} ${type}`;
  if (/overloaded|slow_down|UNAVAILABLE/.test(told)) return "overloaded";
  if (/rate_limit|RESOURCE_EXHAUSTED/.test(told)) return "rate_limited";
  return /invalid_request|invalid_prompt|INVALID_ARGUMENT/.test(told) ? "rejected" : "other";
}
