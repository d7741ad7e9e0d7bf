import { broughtHazards, type Hazard, standingHazards } from "./hazards.ts";
import type { Neighbourhoods } from "./neighbourhoods/neighbourhood.ts";
import type { Plan } from "./plan.ts";
import type { Played } from "./play.ts";

/** What conversations were made of. Plain JSON. */
export interface Tally {
  conversations: number;
  requests: number;
  /** Calls that were shown and decided. */
  shown: number;
  /** Calls that could not be. */
  rejected: number;
  aborted: number;
  /** Runs that another model answered than the run before. */
  switched: number;
  /** Requests in the neighbourhood of each rule of the simulator. */
  readonly near: Record<string, number>;
}

export function emptyTally(rules: Neighbourhoods): Tally {
  const near = Object.fromEntries(
    Object.entries(rules).flatMap(([rule, hazards]) => ("never" in hazards ? [] : [[rule, 0] as const])),
  );
  return { conversations: 0, requests: 0, shown: 0, rejected: 0, aborted: 0, switched: 0, near };
}

/** Counts a conversation, and how often it came near each rule. */
export function count(tally: Tally, rules: Neighbourhoods, plan: Plan, { runs, callable }: Played): void {
  tally.conversations += 1;
  const hazards: Set<Hazard> = standingHazards(
    plan,
    callable.map(({ tool }) => tool),
  );
  let before: string | null = null;
  for (const run of runs) {
    if (before !== null)
      hazards.add(before === run.model ? "turn of the same model" : "turn of another model");
    if (before !== null && before !== run.model) tally.switched += 1;
    if (run.turns.length > 1) hazards.add("turn of the same model");
    before = run.model;
    for (const hazard of broughtHazards(run)) hazards.add(hazard);
    tally.requests += run.requests;
    tally.aborted += run.aborted ? 1 : 0;
    for (const { type } of run.events) {
      if (type === "call_proposed") tally.shown += 1;
      if (type === "call_rejected") tally.rejected += 1;
    }
    for (const [rule, near] of Object.entries(rules)) {
      if ("never" in near || !near.some((hazard) => hazards.has(hazard))) continue;
      tally.near[rule] = (tally.near[rule] ?? 0) + run.requests;
    }
  }
}
