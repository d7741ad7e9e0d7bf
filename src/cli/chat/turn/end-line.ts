import type { RunResult } from "../../../types/events.ts";
import { visibleLine } from "../../../util/visible.ts";
import { budgetText, loopText } from "../../show/summary.ts";
import type { Paint } from "../../terminal/paint.ts";
import { count, formatMs } from "../../terminal/units.ts";
import { usageText } from "../commands/usage.ts";

/** Why a run ended without an answer; undefined when it has one. */
function problemText({ stop }: RunResult): string | undefined {
  switch (stop.type) {
    case "answered":
      return undefined;
    case "aborted":
      return "Stopped. The conversation goes on from here.";
    case "turn_limit":
      return `Stopped at the limit of ${count(stop.limit, "turn")} for one message; say "go on" to continue.`;
    case "budget":
      return budgetText(stop);
    case "loop_detected":
      return loopText(stop);
    case "refused":
      return `The model refused: ${visibleLine(stop.explanation)}`;
    case "truncated":
      return "The answer was cut, or the conversation is too long for the model: ask for less at a time.";
    case "failed":
      return `Failed: ${visibleLine(stop.error.message)}`;
  }
}

/** What stands below an answer: how the run ended when it has none, its time and what it used. */
export function endLines(result: RunResult, offline: boolean, paint: Paint): string[] {
  const problem = problemText(result);
  const facts = [
    formatMs(result.ms),
    ...(offline ? [] : [usageText(result.usage, result.cost)]),
    ...(result.calls > 0 ? [count(result.calls, "call")] : []),
  ];
  const colour = result.stop.type === "failed" ? "red" : "yellow";
  return [...(problem === undefined ? [] : [paint(colour, problem)]), paint("dim", `  ${facts.join(" · ")}`)];
}
