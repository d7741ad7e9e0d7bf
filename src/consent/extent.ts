import type { ApprovalAnswer, ApprovalScope } from "../types/approval.ts";
import type { ArgumentCondition } from "../types/grants.ts";
import type { ToolCall } from "../types/tool.ts";
import { createConditionCheck, offeredConditions, readConditions, valueAt } from "./argument-conditions.ts";
import { whenText } from "./conversation-grants.ts";
import { leadsElsewhere } from "./leads-elsewhere.ts";
import { isOnly, onlyTheseOf } from "./only-condition.ts";

/** What a person's answer allows: for how long, and on which conditions for later calls; null: with any arguments. */
export interface Extent {
  readonly scope: ApprovalScope;
  readonly conditions: readonly ArgumentCondition[] | null;
}

type Allow = Extract<ApprovalAnswer, { type: "allow" }>;

/**
 * What an answer allows: what the person said, but no more than the question offered. An answer that cannot be read whole
 * allows less, never more.
 */
export function extentOf(
  call: ToolCall,
  answer: Allow,
  offered: readonly ApprovalScope[],
  redact: (text: string) => string,
): Extent {
  const once: Extent = { scope: "once", conditions: null };
  const scope = longestOf(answer.scope, offered);
  if (scope === "once" || answer.conditions === undefined) return { scope, conditions: null };
  const conditions = bindToArguments(call, readConditions(answer.conditions));
  if (conditions === null || !createConditionCheck(call.arguments)(conditions)) return once;
  // A secret is not written to where grants are kept.
  return { scope: holdsSecret(conditions, redact) ? "conversation" : scope, conditions };
}

/** The conditions, and that later calls have no other arguments than this one and go nowhere else with them. */
function bindToArguments(
  call: ToolCall,
  conditions: readonly ArgumentCondition[] | null,
): readonly ArgumentCondition[] | null {
  if (conditions === null) return null;
  const only = conditions.find(isOnly) ?? onlyTheseOf(call.arguments);
  if (only === null) return null;
  const held = new Set(conditions.map((one) => (isOnly(one) ? "" : JSON.stringify(one.argument))));
  const places = offeredConditions(call.arguments).filter(({ argument }) => {
    const value = valueAt(call.arguments, argument);
    const isPlace = typeof value === "string" && leadsElsewhere(argument.at(-1) ?? "", value);
    return isPlace && !held.has(JSON.stringify(argument));
  });
  return readConditions([...conditions.filter((one) => one !== only), ...places, only]);
}

function longestOf(wanted: ApprovalScope, offered: readonly ApprovalScope[]): ApprovalScope {
  if (offered.includes(wanted)) return wanted;
  return wanted === "always" ? (offered[1] ?? "once") : "once";
}

/** The conditions that a question offers: none that would keep a secret. */
export function conditionsToOffer(
  call: ToolCall,
  redact: (text: string) => string,
): readonly ArgumentCondition[] {
  const offered = offeredConditions(call.arguments).filter((one) => !holdsSecret([one], redact));
  const only = onlyTheseOf(call.arguments);
  if (only === null || offered.length === 0 || holdsSecret([only], redact)) return [];
  const conditions = [...offered, only];
  // Some calls go where no condition can hold them, such as by a list.
  return createConditionCheck(call.arguments)(conditions) ? conditions : [];
}

function holdsSecret(conditions: readonly ArgumentCondition[], redact: (text: string) => string): boolean {
  return conditions.some((condition) => textsOf(condition).some((text) => redact(text) !== text));
}

function textsOf(condition: ArgumentCondition): readonly string[] {
  if (isOnly(condition)) return condition.arguments.flat();
  if (condition.type === "under") return [...condition.argument, condition.folder];
  if (condition.type === "host") return [...condition.argument, condition.origin];
  return [...condition.argument, String(condition.value)];
}

/** Why a call is allowed that a person allowed. */
export function personReason({ scope, conditions }: Extent): string {
  return `${personReasons[scope]}${whenText(conditions)}.`;
}

const personReasons: Readonly<Record<ApprovalScope, string>> = {
  once: "Allowed once by the person",
  conversation: "Allowed by the person for this conversation",
  always: "Allowed by the person for good",
};
