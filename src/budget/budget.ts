import type { Limits } from "../types/config.ts";
import type { Stop } from "../types/events.ts";
import type { Usage } from "../types/model.ts";
import type { Budget, Clock } from "../types/ports.ts";
import { addCounts } from "../util/add-counts.ts";

export const noUsage: Usage = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Counts what one run uses. A limit of 0 is no limit, but for turns, which always have one. */
export function createBudget(limits: Limits, clock: Clock): Budget {
  const startedAt = clock.now();
  let turns = 0;
  let calls = 0;
  let usage = noUsage;

  function spent(): number {
    return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  }

  return {
    check(): Stop | null {
      if (turns >= limits.turns) return { type: "turn_limit", limit: limits.turns };
      if (limits.tokens > 0 && spent() >= limits.tokens) return budgetStop("tokens", limits.tokens);
      if (limits.calls > 0 && calls >= limits.calls) return budgetStop("calls", limits.calls);
      if (limits.runMs > 0 && clock.now() - startedAt >= limits.runMs)
        return budgetStop("time", limits.runMs);
      return null;
    },
    startTurn: () => ++turns,
    addUsage(more) {
      usage = addCounts(usage, more);
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
  };
}

function budgetStop(budget: "calls" | "tokens" | "time", limit: number): Stop {
  return { type: "budget", budget, limit };
}
