import type { CallFacts } from "../types/policy.ts";
import type { Policy } from "./policy.ts";
import { parseRules } from "./rules.ts";
import { writeLiteral } from "./words.ts";

/** Rules written for these must stay readable in one line. */
const longestValue = 120;

/**
 * A rule of the user's that would allow exactly this call's tool, tried with the others; null when no single one would.
 * What `redact` changes is a secret, and no rule to be written down names one.
 */
export function suggestRule(
  facts: CallFacts,
  policy: Policy,
  redact: (text: string) => string,
): string | null {
  const { server, tool } = facts.route;
  const whole = `allow ${writeLiteral(server)}/${writeLiteral(tool)}`;
  const values = Object.entries(facts.arguments).filter(
    ([name, value]) =>
      name !== "" && typeof value === "string" && value.length <= longestValue && redact(value) === value,
  );
  const conditions = values.map(
    ([name, value]) => `${writeLiteral(name, /^[\w-]+$/)}=${writeLiteral(String(value))}`,
  );
  const narrowed = conditions.map((condition) => `${whole} ${condition}`);
  const all = conditions.length > 1 ? [`${whole} ${conditions.join(" ")}`] : [];
  const plain = [whole, ...narrowed.slice(0, 8), ...all];
  const withFlow = plain.map((text) => `${text} @flow=private->open-world`);
  return [...plain, ...withFlow].find((text) => wouldAllow(text, facts, policy)) ?? null;
}

function wouldAllow(text: string, facts: CallFacts, policy: Policy): boolean {
  try {
    return parseRules([text], "user").every((rule) => policy.assessWith(rule, facts).type === "allow");
  } catch {
    return false;
  }
}
