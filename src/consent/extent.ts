import type { ApprovalAnswer, ApprovalScope } from "../types/approval.ts";
import type { ArgumentCondition } from "../types/grants.ts";
import type { ToolCall } from "../types/tool.ts";
import {
  createConditionCheck,
  describeConditions,
  offeredConditions,
  readConditions,
} from "./argument-conditions.ts";

/** What an answer reaches; `conditions` is null where later calls may have any arguments. */
export interface Extent {
  readonly scope: ApprovalScope;
  readonly conditions: readonly ArgumentCondition[] | null;
}

type Allow = Extract<ApprovalAnswer, { type: "allow" }>;

/** As far as the person said, but no further than was offered. What cannot be read of an answer makes it narrower. */
export function extentOf(
  call: ToolCall,
  answer: Allow,
  offered: readonly ApprovalScope[],
  redact: (text: string) => string,
): Extent {
  const once: Extent = { scope: "once", conditions: null };
  const scope = longestOf(answer.scope, offered);
  if (scope === "once" || answer.conditions === undefined) return { scope, conditions: null };
  const conditions = readConditions(answer.conditions);
  if (conditions === null || !createConditionCheck(call.arguments)(conditions)) return once;
  // A secret is not written to where grants are kept.
  return { scope: holdsSecret(conditions, redact) ? "conversation" : scope, conditions };
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
  return offeredConditions(call.arguments).filter((condition) => !holdsSecret([condition], redact));
}

function holdsSecret(conditions: readonly ArgumentCondition[], redact: (text: string) => string): boolean {
  return conditions.some((condition) => textsOf(condition).some((text) => redact(text) !== text));
}

function textsOf(condition: ArgumentCondition): readonly string[] {
  if (condition.type === "under") return [...condition.argument, condition.folder];
  if (condition.type === "host") return [...condition.argument, condition.origin];
  return [...condition.argument, String(condition.value)];
}

/** Why a call is allowed that a person allowed. */
export function personReason({ scope, conditions }: Extent): string {
  const when = conditions === null ? "" : `, when ${describeConditions(conditions)}`;
  return `${personReasons[scope]}${when}.`;
}

const personReasons: Readonly<Record<ApprovalScope, string>> = {
  once: "Allowed once by the person",
  conversation: "Allowed by the person for this conversation",
  always: "Allowed by the person for good",
};
