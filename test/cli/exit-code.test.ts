import { expect, test } from "vitest";
import { exitCodeMeanings, exitCodeOf, exitCodeOfError, exitCodes } from "../../src/cli/exit-code.ts";
import type { HostErrorCode } from "../../src/types/error.ts";
import type { Stop } from "../../src/types/events.ts";

const failed = (code: HostErrorCode): Stop => ({ type: "failed", error: { code, message: "" } });

const table: readonly [string, Stop, number, number][] = [
  ["answered", { type: "answered" }, 0, 0],
  ["answered with a denial nobody was asked about", { type: "answered" }, 1, 4],
  ["the turn limit", { type: "turn_limit", limit: 3 }, 0, 5],
  ["a circle", { type: "loop_detected", turns: 8 }, 0, 5],
  ["a budget, also with an unasked denial", { type: "budget", budget: "tokens", limit: 3 }, 2, 5],
  ["an interruption", { type: "aborted" }, 0, 130],
  ["a refusal", { type: "refused", explanation: "" }, 0, 1],
  ["a cut answer", { type: "truncated" }, 0, 1],
  ["a model that cannot be reached", failed("model_unreachable"), 0, 1],
  ["a model that does not exist", failed("model_unknown"), 0, 2],
  ["a server that did not start", failed("server_start_failed"), 0, 3],
  ["a server that exited", failed("server_exited"), 0, 3],
  ["a server that speaks no MCP", failed("server_protocol"), 0, 3],
];

test.each(table)("%s", (_name, stop, unasked, code) => {
  expect(exitCodeOf({ stop, unasked })).toBe(code);
});

/** Every code that an error can have: a new one has to be put somewhere. */
const codes: Readonly<Record<HostErrorCode, number>> = {
  config_invalid: 2,
  input_invalid: 2,
  aborted: 130,
  closed: 1,
  internal: 1,
  model_unknown: 2,
  model_key_missing: 2,
  model_auth: 1,
  model_rejected: 1,
  model_rate_limited: 1,
  model_spend_limit: 1,
  model_overloaded: 1,
  model_unreachable: 1,
  model_bad_response: 1,
  model_empty_response: 1,
  server_start_failed: 3,
  server_start_timeout: 3,
  server_exited: 3,
  server_unreachable: 3,
  server_protocol: 3,
  server_list_failed: 3,
  server_unknown: 2,
  server_pending: 3,
  server_unauthorized: 3,
  call_timeout: 1,
  call_aborted: 1,
  call_connection_lost: 1,
  call_not_sent: 1,
  call_oversize: 1,
  call_protocol_error: 1,
  call_http_error: 1,
  call_unstamped: 1,
  call_unknown_tool: 2,
  call_denied: 1,
  call_invalid: 1,
  conversation_unknown: 2,
  conversation_in_use: 1,
  audit_failed: 1,
  audit_broken: 1,
  store_failed: 1,
};

test("every error ends with the exit code that the table gives it", () => {
  for (const [code, expected] of Object.entries(codes)) {
    expect([code, exitCodeOfError(code as HostErrorCode)]).toEqual([code, expected]);
  }
});

test("every exit code is another number with a meaning of its own", () => {
  expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
  expect(new Set(Object.values(exitCodeMeanings)).size).toBe(Object.keys(exitCodes).length);
});
