import type { Usage } from "../../../types/model.ts";
import { addCounts } from "../../../util/add-counts.ts";
import { count, formatMs } from "../../terminal/units.ts";
import type { ChatCommandSpec } from "./command.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** Tokens of one or more requests, in a few words. What was written to the cache was read as well. */
export function usageText(usage: Usage): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cached = cacheReadTokens > 0 ? ` (+${number(cacheReadTokens)} cached)` : "";
  return `${count(inputTokens + cacheWriteTokens, "token")} in${cached}, ${number(outputTokens)} out`;
}

export const usageCommand: ChatCommandSpec = {
  name: "/usage",
  summary: "tokens and time, for each message and in all",
  run(_argument, { session, print }) {
    const { runs } = session;
    if (runs.length === 0) print("Nothing was used in this conversation yet.");
    for (const [index, run] of runs.entries()) {
      const facts = [
        count(run.turns, "turn"),
        count(run.calls, "call"),
        usageText(run.usage),
        formatMs(run.ms),
      ];
      print(`${String(index + 1).padStart(3)}  ${facts.join(", ")}`);
    }
    if (runs.length > 1) print(`all  ${usageText(runs.map((run) => run.usage).reduce(addCounts))}`);
    return undefined;
  },
};
