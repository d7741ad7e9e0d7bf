import type { Limits } from "../types/config.ts";
import type { ErrorSummary } from "../types/error.ts";
import type { Stop } from "../types/events.ts";
import type { Usage } from "../types/model.ts";
import type { AnsweredBy, Budget, Clock } from "../types/ports.ts";
import { addCounts } from "../util/add-counts.ts";
import { noUsage } from "../util/usage.ts";
import { createRepetitionGuard } from "./repetition.ts";

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
  const repetition = createRepetitionGuard();
  const { repeatedTurns } = limits;
  let repeated = 0;
  let turns = 0;
  let calls = 0;
  let usage = noUsage;
  let usd = 0;
  let unpriced = 0;

  function spent(): number {
    return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  }

  return {
    check(nextTokens = 0): Stop | null {
      if (repeatedTurns > 0 && repeated >= repeatedTurns) return { type: "loop_detected", turns: repeated };
      if (turns >= limits.turns) return { type: "turn_limit", limit: limits.turns };
      const { tokens } = limits;
      if (tokens > 0 && (spent() >= tokens || spent() + nextTokens > tokens))
        return budgetStop("tokens", tokens);
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
    addResults(calls, results) {
      if (repeatedTurns === 0) return null;
      repeated = repetition.add(calls, results);
      return repeated >= repeatedTurns / 2 ? repetitionNote(repeatedTurns - repeated) : null;
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
    get tokensLeft() {
      return limits.tokens > 0 ? limits.tokens - spent() : Number.POSITIVE_INFINITY;
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

/** For the model: what happens if it goes on like this. */
function repetitionNote(turnsLeft: number): string {
  const end = turnsLeft <= 0 ? "The run ends here." : `After ${turnsLeft} more such turns the run ends.`;
  return `[These calls brought nothing that was not known. Try something else, or answer with what there is. ${end}]`;
}
