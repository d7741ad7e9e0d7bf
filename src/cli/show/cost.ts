import type { RunCost } from "../../types/price.ts";
import { count } from "../terminal/units.ts";

/** What a run cost, in a few words; empty when it cost nothing. What is not known is said, not counted as nothing. */
export function costText(cost: RunCost | undefined): string {
  if (cost === undefined) return "";
  const unknown = cost.unpriced > 0 ? `${count(cost.unpriced, "request")} of unknown cost` : "";
  return [cost.usd > 0 ? dollars(cost.usd) : "", unknown].filter((part) => part !== "").join(" and ");
}

/** Two digits that say something: small amounts have more behind the point. */
export function dollars(usd: number): string {
  const digits = usd >= 0.1 ? 2 : usd >= 0.001 ? 4 : 6;
  return `$${usd.toFixed(digits)}`;
}
