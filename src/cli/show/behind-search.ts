import { visibleLine } from "../../util/visible.ts";
import { count } from "../terminal/units.ts";

/** How many tools the model is not offered but finds, and why. Escaped. */
export function behindSearchText(tools: number, reason: string): string {
  return `The model finds ${count(tools, "more tool")} by a search: ${visibleLine(reason)}.`;
}
