import { expect, test } from "vitest";
import { HostError } from "../../../src/errors.ts";
import { errorWords, isSpendLimit, isUnknownModel } from "../../../src/models/anthropic/errors.ts";
import { StreamErrorEvent } from "../../../src/models/wire/answer-errors.ts";
import { firstLine } from "../../../src/models/wire/error-words.ts";
import { classifyFailure, type ErrorContext } from "../../../src/models/wire/failures.ts";

const context: ErrorContext = {
  apiName: "the Messages API",
  keyAdvice: "Check ANTHROPIC_API_KEY.",
  wordsOf: errorWords,
  isSpendLimit,
  isUnknownModel,
  hint: () => "",
  model: "claude-opus-5",
  host: "api.example",
  apiKey: "sk-test-0123456789",
  wall: () => Date.parse("2026-11-30T10:00:00Z"),
};

/** An error as the SDK throws it. */
function statusError(status: number, error: object | null, headers: Record<string, string> = {}): object {
  return Object.assign(new Error(`${status} whatever`), { status, error, headers: new Headers(headers) });
}
const api = (type: string, details?: object): object => ({
  type: "error",
  error: { type, message: "words", details },
});

test("the delay is read in every form that it is given in", () => {
  const wait = (headers: Record<string, string>): number | undefined =>
    classifyFailure(statusError(529, api("overloaded_error"), headers), context).retryAfterMs;
  expect(wait({})).toBeUndefined();
  expect(wait({ "retry-after": "2" })).toBe(2000);
  expect(wait({ "retry-after": "0.5" })).toBe(500);
  expect(wait({ "retry-after": "Mon, 30 Nov 2026 10:00:03 GMT" })).toBe(3000);
  expect(wait({ "retry-after": "Mon, 30 Nov 2026 09:00:00 GMT" })).toBe(0);
  expect(wait({ "retry-after": "soon" })).toBeUndefined();
  expect(wait({ "retry-after-ms": "70", "retry-after": "9" })).toBe(70);
});

test("an error is one line, with everything that could redraw a terminal made visible", () => {
  const error = { type: "error", error: { type: "overloaded_error", message: "\u001b[2Jgone\n\u202enow" } };
  expect(classifyFailure(statusError(529, error), context).error.message).toBe(
    "The API has trouble: \\u001b[2Jgone \\u202enow (529).",
  );
  const broken = new StreamErrorEvent("\u0007bell\r\nring", "other");
  expect(classifyFailure(broken, context).error.message).toBe(
    "The API broke off its answer: \\u0007bell ring",
  );
});

test("the API may forbid another attempt", () => {
  const failure = classifyFailure(statusError(500, api("api_error"), { "x-should-retry": "false" }), context);
  expect(failure.retry).toBe(false);
});

test("limits of the account are told from limits of the rate", () => {
  for (const code of ["enforced_spend_limit_reached", "contract_spend_limit_reached"]) {
    const failure = classifyFailure(statusError(429, api("rate_limit_error", { error_code: code })), context);
    expect(failure).toMatchObject({
      retry: false,
      error: { code: "model_spend_limit", data: { errorCode: code } },
    });
  }
  const ramp = classifyFailure(
    statusError(429, api("rate_limit_error", { error_code: "ramp_limit_exceeded" })),
    context,
  );
  expect(ramp).toMatchObject({ retry: true, error: { code: "model_rate_limited" } });
  expect(classifyFailure(statusError(402, api("billing_error")), context).error.code).toBe(
    "model_spend_limit",
  );
});

test("an error of our own passes through, and anything else is a connection that failed", () => {
  const own = new HostError("closed", "x");
  expect(classifyFailure(own, context)).toEqual({ error: own, retry: false });
  const wrapped = new Error("Connection error.", {
    cause: new Error("fetch failed", { cause: new Error("socket hang up") }),
  });
  expect(classifyFailure(wrapped, context)).toMatchObject({
    retry: true,
    error: {
      code: "model_unreachable",
      message: "api.example cannot be reached: socket hang up. Check the network and the base URL.",
    },
  });
  for (const thrown of [null, undefined, 3, "x", {}, { status: "x" }]) {
    expect(classifyFailure(thrown, context).error.code).toBe("model_unreachable");
  }
});

test("the first line of a page is its first words", () => {
  expect(firstLine("<!doctype html>\n<head>\n<title>502  Bad\tGateway</title>\nmore")).toBe(
    "502 Bad Gateway",
  );
  expect(firstLine("")).toBe("");
  expect(firstLine("x".repeat(1000))).toHaveLength(200);
  expect(firstLine("<".repeat(100_000))).toHaveLength(200);
});

test("a key at the place where an error's words are cut leaves no part of itself", () => {
  const { apiKey } = context;
  const long = {
    type: "error",
    error: { type: "invalid_request_error", message: "x".repeat(1_990) + apiKey },
  };
  const page = Object.assign(new Error("404 " + "x".repeat(190) + apiKey), {
    status: 404,
    headers: new Headers(),
  });
  const lost = new TypeError("fetch failed", { cause: new Error("x".repeat(290) + apiKey) });
  const event = new StreamErrorEvent("x".repeat(1_990) + apiKey, "rejected");
  for (const thrown of [statusError(400, long), page, lost, event]) {
    const { message } = classifyFailure(thrown, context).error;
    expect(message).toContain("xxx");
    expect(message).not.toContain(apiKey.slice(0, 4));
  }
  expect(firstLine(`${"x".repeat(190)}${apiKey}`, apiKey)).not.toContain(apiKey.slice(0, 4));
});

test("an error in a stream is told in few words, however many it has", () => {
  const { message } = classifyFailure(new StreamErrorEvent("y".repeat(3_000_000), "other"), context).error;
  expect(message.length).toBeLessThan(2_100);
});

test("an answer without a body is told by its status", () => {
  const thrown = Object.assign(new Error("307 status code (no body)"), {
    status: 307,
    headers: new Headers(),
  });
  const { message } = classifyFailure(thrown, context).error;
  expect(message).toBe(
    "api.example does not answer as the Messages API does: status 307. Check the base URL.",
  );
});
