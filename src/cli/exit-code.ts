import type { HostErrorCode } from "../types/error.ts";
import type { RunResult } from "../types/events.ts";

/** Exit codes of the command; interruptions add the signal's number to 128. */
export const exitCodes = {
  answered: 0,
  failed: 1,
  usage: 2,
  serverDown: 3,
  unasked: 4,
  limit: 5,
  interrupted: 130,
} as const;

/** The exit code of a program that wrote to a reader that went away. */
export const readerGone = 141;

export type ExitCodeName = keyof typeof exitCodes;

/** What each code means, for the help and the documents. */
export const exitCodeMeanings: Readonly<Record<ExitCodeName, string>> = {
  answered: "done: answered",
  failed: "failed",
  usage: "the command line, or a setting, is wrong",
  serverDown: "a server is down, or waits for your agreement (drawbridge trust)",
  unasked: "answered, but something was denied because nobody could be asked",
  limit: "a limit was reached: turns, calls, tokens, cost or time",
  interrupted: "interrupted (143: terminated, 129: the terminal went away, 141: the reader went away)",
};

const serverDown: ReadonlySet<HostErrorCode> = new Set<HostErrorCode>([
  "server_start_failed",
  "server_start_timeout",
  "server_exited",
  "server_unreachable",
  "server_protocol",
  "server_list_failed",
  "server_pending",
  "server_unauthorized",
]);

const wrongCommandLine: ReadonlySet<HostErrorCode> = new Set<HostErrorCode>([
  "config_invalid",
  "input_invalid",
  "model_unknown",
  "model_key_missing",
  "server_unknown",
  "call_unknown_tool",
  "conversation_unknown",
]);

/** The exit code for an error that ended everything. */
export function exitCodeOfError(code: HostErrorCode): number {
  if (serverDown.has(code)) return exitCodes.serverDown;
  if (wrongCommandLine.has(code)) return exitCodes.usage;
  return code === "aborted" ? exitCodes.interrupted : exitCodes.failed;
}

/** The exit code for how a run ended. */
export function exitCodeOf(result: Pick<RunResult, "stop" | "unasked">): number {
  const { stop } = result;
  switch (stop.type) {
    case "answered":
      return result.unasked > 0 ? exitCodes.unasked : exitCodes.answered;
    case "turn_limit":
    case "budget":
    case "loop_detected":
      return exitCodes.limit;
    case "aborted":
      return exitCodes.interrupted;
    case "failed":
      return exitCodeOfError(stop.error.code);
    case "refused":
    case "truncated":
      return exitCodes.failed;
  }
}
