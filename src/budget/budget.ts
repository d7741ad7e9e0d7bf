import type { Limits } from "../types/config.ts";
import type { ErrorSummary } from "../types/error.ts";
import type { Stop } from "../types/events.ts";
import type { Usage } from "../types/model.ts";
import type { AnsweredBy, Budget, Clock } from "../types/ports.ts";
import { addCounts } from "../util/add-counts.ts";

export const noUsage: Usage = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/**
 * Counts what one run uses. A limit of 0 is no limit, but for turns, which always have one. `costOf` gives the US dollars
 * of requests, or null when their price is not known.
 */
export function createBudget(
  limits: Limits,
  clock: Clock,
  costOf: (usage: Usage, answeredBy?: AnsweredBy) => number | null = () => null,
): Budget {
  const startedAt = clock.now();
  let turns = 0;
  let calls = 0;
  let usage = noUsage;
  let usd = 0;
  let unpriced = 0;

  function spent(): number {
    return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  }

  return {
    check(): Stop | null {
      if (turns >= limits.turns) return { type: "turn_limit", limit: limits.turns };
      if (limits.tokens > 0 && spent() >= limits.tokens) return budgetStop("tokens", limits.tokens);
      if (limits.cost > 0 && unpriced > 0) return { type: "failed", error: unknownPrice };
      if (limits.cost > 0 && usd >= limits.cost) return budgetStop("cost", limits.cost);
      if (limits.calls > 0 && calls >= limits.calls) return budgetStop("calls", limits.calls);
      if (limits.runMs > 0 && clock.now() - startedAt >= limits.runMs)
        return budgetStop("time", limits.runMs);
      return null;
    },
    startTurn: () => ++turns,
    addUsage(more, answeredBy) {
      usage = addCounts(usage, more);
      const cost = costOf(more, answeredBy);
      if (cost === null) unpriced += more.requests;
      else usd += cost;
    },
    takeCalls(wanted) {
      const left = limits.calls > 0 ? limits.calls - calls : wanted;
      const taken = Math.max(0, Math.min(wanted, left));
      calls += taken;
      return taken;
    },
    get turns() {
      return turns;
    },
    get calls() {
      return calls;
    },
    get usage() {
      return usage;
    },
    get cost() {
      return { usd, unpriced };
    },
  };
}

function budgetStop(budget: "calls" | "tokens" | "cost" | "time", limit: number): Stop {
  return { type: "budget", budget, limit };
}

/** A limit that cannot be kept is worse than none. */
const unknownPrice: ErrorSummary = {
  code: "config_invalid",
  message:
    "A model answered whose price is not known, so the cost limit cannot be kept: give its price (`prices`), or limit tokens instead.",
};
