import type { ModelEvent } from "../types/model.ts";
import type { Budget } from "../types/ports.ts";

/** What the attempts of one request have used so far and no record of theirs has told yet. */
export interface SpentTokens {
  take(event: ModelEvent): void;
  addTo(budget: Budget): void;
}

type SoFar = Extract<ModelEvent, { type: "usage_so_far" }>;

export function createSpentTokens(): SpentTokens {
  let failed: SoFar[] = [];
  let current: SoFar | null = null;
  return {
    take(event) {
      if (event.type === "usage_so_far") current = event;
      if (event.type === "attempt_failed" && current !== null) {
        failed.push(current);
        current = null;
      }
      // The records of attempts come together, when it is clear how they ended.
      if (event.type === "usage") {
        failed = [];
        current = null;
      }
    },
    addTo(budget) {
      for (const { usage, answeredBy } of current === null ? failed : [...failed, current]) {
        budget.addUsage(usage, answeredBy);
      }
    },
  };
}
