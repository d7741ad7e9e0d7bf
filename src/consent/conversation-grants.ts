import type { ConversationGrants } from "../types/consent.ts";
import type { ArgumentCondition } from "../types/grants.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { ToolCall } from "../types/tool.ts";
import { createConditionCheck, describeConditions } from "./argument-conditions.ts";
import { type Bound, bindingId, withConditions } from "./grant-binding.ts";

/** A grant that covers a call. */
export interface FoundGrant {
  readonly by: Extract<DecisionSource, { type: "grant" }>;
  readonly reason: string;
  /** Whether it still stands. */
  holds(): boolean;
}

/** The conditions of the answers to one question, by the ids of these answers. */
type Conditional = Map<string, readonly ArgumentCondition[]>;

/** What a person allowed for one conversation: the answers are what counts, the index only finds them. */
export interface ConversationGrantIndex {
  find(call: ToolCall, bound: Bound, grants: ConversationGrants): FoundGrant | null;
  add(bound: Bound, grants: ConversationGrants, conditions: readonly ArgumentCondition[] | null): void;
}

export function createConversationGrants(): ConversationGrantIndex {
  const indexes = new WeakMap<ConversationGrants, Map<string, Conditional>>();

  return {
    find(call, { id }, grants) {
      if (isGrant(grants, id)) return found(grants, id);
      const conditional = indexes.get(grants)?.get(id);
      if (conditional === undefined) return null;
      const meets = createConditionCheck(call.arguments);
      for (const [own, conditions] of conditional) {
        if (isGrant(grants, own) && meets(conditions)) return found(grants, own, conditions);
      }
      return null;
    },
    add({ binding, id }, grants, conditions) {
      const answer = { type: "allow", scope: "conversation" } as const;
      if (conditions === null) {
        grants.answers.set(id, answer);
        return;
      }
      const own = bindingId(withConditions(binding, conditions));
      grants.answers.set(own, { ...answer, conditions });
      const index = indexes.get(grants) ?? new Map<string, Conditional>();
      const conditional: Conditional = index.get(id) ?? new Map();
      indexes.set(grants, index.set(id, conditional.set(own, conditions)));
    },
  };
}

function found(
  grants: ConversationGrants,
  id: string,
  conditions?: readonly ArgumentCondition[],
): FoundGrant {
  return {
    by: { type: "grant", id, scope: "conversation" },
    reason: `It was allowed for this conversation${whenText(conditions)}.`,
    holds: () => isGrant(grants, id),
  };
}

function isGrant(grants: ConversationGrants, id: string): boolean {
  const answer = grants.answers.get(id);
  return answer?.type === "allow" && answer.scope === "conversation";
}

/** `, when path is under src/`, or nothing. */
export function whenText(conditions: readonly ArgumentCondition[] | null | undefined): string {
  return conditions === undefined || conditions === null ? "" : `, when ${describeConditions(conditions)}`;
}
