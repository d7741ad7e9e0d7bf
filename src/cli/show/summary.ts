import type { RunResult, Stop } from "../../types/events.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodeOfError, exitCodes } from "../exit-code.ts";
import type { Paint } from "../terminal/paint.ts";
import { count, formatMs } from "../terminal/units.ts";
import { costText, dollars } from "./cost.ts";

function stopText(result: RunResult): string {
  const { stop } = result;
  switch (stop.type) {
    case "answered":
      return "Answered";
    case "turn_limit":
      return `Stopped at the limit of ${count(stop.limit, "turn")} (--max-turns N sets another).`;
    case "budget":
      return budgetText(stop);
    case "loop_detected":
      return loopText(stop);
    case "aborted":
      return "Interrupted.";
    case "refused":
      return `The model refused: ${visibleLine(stop.explanation)}`;
    case "truncated":
      return "The model's answer was cut, or the conversation is too long for it: ask for less at a time.";
    case "failed":
      // Which server and why was printed when it happened.
      if (exitCodeOfError(stop.error.code) === exitCodes.serverDown) return "Failed: a server is down.";
      return `Failed: ${visibleLine(stop.error.message)}`;
  }
}

/** That a run went in a circle. */
export function loopText({ turns }: Extract<Stop, { type: "loop_detected" }>): string {
  return `Stopped: ${count(turns, "turn")} in a row brought nothing new (limits.repeatedTurns).`;
}

/** Which limit a run reached, with its unit. */
export function budgetText({ budget, limit }: Extract<Stop, { type: "budget" }>): string {
  switch (budget) {
    case "calls":
      return `Stopped at the limit of ${count(limit, "call")}.`;
    case "tokens":
      return `Stopped at the limit of ${count(limit, "token")}.`;
    case "cost":
      return `Stopped at the cost limit of ${dollars(limit)}.`;
    case "time":
      return `Stopped at the time limit of ${formatMs(limit)}.`;
  }
}

/** How a run ended and what it used, on one or two lines. */
export function summaryLines(result: RunResult, paint: Paint): string[] {
  const { usage } = result;
  const cost = costText(result.cost);
  const cached =
    usage.cacheReadTokens > 0 ? ` (+${usage.cacheReadTokens.toLocaleString("en-US")} cached)` : "";
  const used = [
    count(result.turns, "turn"),
    count(result.calls, "call"),
    // What was written to the cache was read as well.
    `${count(usage.inputTokens + usage.cacheWriteTokens, "token")} in${cached}`,
    `${usage.outputTokens.toLocaleString("en-US")} out`,
    ...(cost === "" ? [] : [cost]),
    formatMs(result.ms),
  ].join(", ");
  const text = stopText(result);
  if (result.stop.type === "answered") return [paint("dim", `${text}: ${used}`)];
  const colour = result.stop.type === "failed" ? "red" : "yellow";
  return [paint(colour, text), paint("dim", `Used: ${used}`)];
}
