import type { CallOutcome } from "../types/outcome.ts";
import type { CatalogTool } from "../types/tool.ts";

/**
 * Whether a second attempt may be made: only when the first surely did not reach the server, or when doing the work
 * twice is the same as doing it once, which is believed of a trusted server alone. An answer is never repeated,
 * and neither is anything that was aborted.
 */
export function mayRetry(outcome: CallOutcome, tool: CatalogTool): boolean {
  if (outcome.type === "answered" || outcome.code === "call_aborted") return false;
  if (outcome.code === "call_not_sent") return true;
  const ended = outcome.code === "call_timeout" || outcome.code === "call_connection_lost";
  return ended && outcome.executed !== "yes" && tool.trusted && repeatable(tool);
}

function repeatable(tool: CatalogTool): boolean {
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.definition.annotations;
  return idempotentHint === true || (readOnlyHint === true && destructiveHint !== true);
}
