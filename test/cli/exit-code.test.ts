import { expect, test } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-code.ts";
import type { HostErrorCode } from "../../src/types/error.ts";
import type { Stop } from "../../src/types/events.ts";

const failed = (code: HostErrorCode): Stop => ({ type: "failed", error: { code, message: "" } });

const table: readonly [string, Stop, number, number][] = [
  ["answered", { type: "answered" }, 0, 0],
  ["answered with a denial nobody was asked about", { type: "answered" }, 1, 4],
  ["the turn limit", { type: "turn_limit", limit: 3 }, 0, 5],
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
