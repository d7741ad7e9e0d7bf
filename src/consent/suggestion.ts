import type { ToolCall } from "../types/tool.ts";
import { createPolicy } from "./policy.ts";
import { parseRules, type Rule } from "./rules.ts";
import { writeLiteral } from "./words.ts";

/** Rules written for these must stay readable in one line. */
const longestValue = 120;

/** A rule that would allow exactly this call's tool, tried against the others; null when no single rule would. */
export function suggestRule(call: ToolCall, rules: readonly Rule[]): string | null {
  const { server, tool } = call.tool.route;
  const whole = `allow ${writeLiteral(server)}/${writeLiteral(tool)}`;
  const values = Object.entries(call.arguments).filter(
    ([name, value]) => name !== "" && typeof value === "string" && value.length <= longestValue,
  );
  const conditions = values.map(
    ([name, value]) => `${writeLiteral(name, /^[\w-]+$/)}=${writeLiteral(String(value))}`,
  );
  const narrowed = conditions.map((condition) => `${whole} ${condition}`);
  const all = conditions.length > 1 ? [`${whole} ${conditions.join(" ")}`] : [];
  return [whole, ...narrowed.slice(0, 8), ...all].find((text) => wouldAllow(text, call, rules)) ?? null;
}

function wouldAllow(text: string, call: ToolCall, rules: readonly Rule[]): boolean {
  try {
    return createPolicy([...rules, ...parseRules([text], "user")]).assess(call, "model").type === "allow";
  } catch {
    return false;
  }
}
