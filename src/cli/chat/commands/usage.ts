import type { Usage } from "../../../types/model.ts";
import type { RunCost } from "../../../types/price.ts";
import { addCounts } from "../../../util/add-counts.ts";
import { costText } from "../../show/cost.ts";
import { count, formatMs } from "../../terminal/units.ts";
import type { ChatCommandSpec } from "./command.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** Tokens of one or more requests and what they cost, in a few words. What was written to the cache was read as well. */
export function usageText(usage: Usage, cost?: RunCost): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cached = cacheReadTokens > 0 ? ` (+${number(cacheReadTokens)} cached)` : "";
  const money = costText(cost);
  const tokens = `${count(inputTokens + cacheWriteTokens, "token")} in${cached}, ${number(outputTokens)} out`;
  return money === "" ? tokens : `${tokens}, ${money}`;
}

export const usageCommand: ChatCommandSpec = {
  name: "/usage",
  summary: "tokens, money and time, for each message and in all",
  run(_argument, { session, print }) {
    const { runs } = session;
    if (runs.length === 0) print("Nothing was used in this conversation yet.");
    for (const [index, run] of runs.entries()) {
      const facts = [
        count(run.turns, "turn"),
        count(run.calls, "call"),
        usageText(run.usage, run.cost),
        formatMs(run.ms),
      ];
      print(`${String(index + 1).padStart(3)}  ${facts.join(", ")}`);
    }
    const costs = runs.flatMap((run) => run.cost ?? []);
    const cost = costs.length === 0 ? undefined : costs.reduce(addCounts);
    if (runs.length > 1) print(`all  ${usageText(runs.map((run) => run.usage).reduce(addCounts), cost)}`);
    return undefined;
  },
};
