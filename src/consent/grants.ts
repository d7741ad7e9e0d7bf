import { HostError } from "../errors.ts";
import type { ApprovalScope } from "../types/approval.ts";
import type { ConversationGrants } from "../types/consent.ts";
import type {
  ArgumentCondition,
  GrantBinding,
  GrantedTool,
  GrantStore,
  StoredGrant,
} from "../types/grants.ts";
import type { JsonObject } from "../types/json.ts";
import type { ToolCall } from "../types/tool.ts";
import { stableJson } from "../util/stable-json.ts";
import { indexConditions } from "./condition-index.ts";
import { createConversationGrants, type FoundGrant, whenText } from "./conversation-grants.ts";
import { describeChanges } from "./definition-changes.ts";
import { boundOf, type QuestionReason, withConditions } from "./grant-binding.ts";
import { isOnly } from "./only-condition.ts";

/** What a person allowed stays allowed as long as it is the same thing: in a conversation, or for good. */
export interface Grants {
  /** The grant that covers the call, or null. */
  find(call: ToolCall, asked: GrantQuestion): FoundGrant | null;
  /** How long the tool may be allowed, the shortest first. */
  scopes(call: ToolCall, how: { readonly grantable: boolean } & QuestionReason): readonly ApprovalScope[];
  /**
   * Keeps the person's answer for the later calls of the tool: those that meet the conditions, where it has some.
   * Rejects with `store_failed` when it cannot be kept.
   */
  add(
    call: ToolCall,
    asked: GrantQuestion,
    scope: "conversation" | "always",
    conditions: readonly ArgumentCondition[] | null,
  ): Promise<void>;
  /** Notes that the person allowed the tool as it is now. */
  noteAllowed(call: ToolCall, asked: GrantQuestion): void;
  /** What changed since the person last allowed the tool, in sentences. */
  changes(call: ToolCall, asked: GrantQuestion): readonly string[];
}

/** Who asked counts: a grant against the default does not silence a rule that asks for some arguments. */
interface GrantQuestion extends QuestionReason {
  readonly grants: ConversationGrants;
  readonly principal: string;
}

/** Where grants are that outlast a conversation. */
export interface LastingGrants {
  /** Null until it is open, and where there is none. */
  readonly store: () => GrantStore | null;
  /** Whether a server's config says enough of what it is to be allowed for good. */
  readonly mayLast: (server: string) => boolean;
}

export function createGrants({ store, mayLast }: LastingGrants): Grants {
  const allowedTools = new WeakMap<ConversationGrants, Map<string, GrantedTool>>();
  const toolKey = ({ tool }: ToolCall, asked: GrantQuestion) =>
    stableJson([asked.principal, tool.route.server, tool.route.tool]);
  const conversation = createConversationGrants();
  const lasting = (call: ToolCall) => (mayLast(call.tool.route.server) ? store() : null);

  return {
    find(call, asked) {
      const bound = boundOf(call, asked);
      const ofConversation = conversation.find(call, bound, asked.grants);
      const kept = ofConversation === null && mayBeLasting(asked) ? lasting(call) : null;
      return kept === null ? ofConversation : findLasting(call, bound.binding, kept);
    },
    scopes(call, how) {
      if (!how.grantable) return ["once"];
      return lasting(call) === null || !mayBeLasting(how)
        ? ["once", "conversation"]
        : ["once", "conversation", "always"];
    },
    async add(call, asked, scope, conditions) {
      const bound = boundOf(call, asked);
      if (scope === "conversation") return conversation.add(bound, asked.grants, conditions);
      try {
        // Not in the conversation beside it: what is revoked elsewhere must not hold here.
        await keep(lasting(call), withConditions(bound.binding, conditions), call);
      } catch (error) {
        conversation.add(bound, asked.grants, conditions);
        throw error;
      }
    },
    noteAllowed(call, asked) {
      const tools = allowedTools.get(asked.grants) ?? new Map<string, GrantedTool>();
      allowedTools.set(asked.grants, tools.set(toolKey(call, asked), call.tool));
    },
    changes(call, asked) {
      const before =
        allowedTools.get(asked.grants)?.get(toolKey(call, asked)) ??
        lasting(call)?.allowedBefore(boundOf(call, asked).binding)[0];
      return before === undefined ? [] : describeChanges(before, call.tool);
    },
  };
}

/** What a conversation has read is its own: no answer about that holds for another one. */
function mayBeLasting({ by }: QuestionReason): boolean {
  return by.type !== "flow";
}

async function keep(store: GrantStore | null, binding: GrantBinding, call: ToolCall): Promise<void> {
  if (store === null) throw new HostError("store_failed", "There is no store of grants any more.");
  // A store that knows no conditions would keep the grant without them.
  if (binding.conditions !== undefined && store.conditional === undefined) {
    throw new HostError("store_failed", "The store of grants keeps none that have conditions.");
  }
  await store.add(binding, call.tool.definition);
}

/** A store gives the same list as long as nothing of it changed. */
const indexes = new WeakMap<readonly StoredGrant[], ReturnType<typeof indexConditions<StoredGrant>>>();

function indexOf(list: readonly StoredGrant[]): (values: JsonObject) => readonly StoredGrant[] {
  const known = indexes.get(list);
  if (known !== undefined) return known;
  // A grant that does not say which other arguments a call may have would allow some that nobody was shown.
  const index = indexConditions(list.filter(({ conditions }) => conditions?.some(isOnly)));
  indexes.set(list, index);
  return index;
}

/** The grant of the binding alone, or the first whose conditions the call meets. */
function findLasting(call: ToolCall, binding: GrantBinding, kept: GrantStore): FoundGrant | null {
  const grant = kept.find(binding);
  if (grant !== null) return lastingGrant(grant, binding, kept);
  const conditionals = kept.conditional?.(binding);
  if (conditionals === undefined) return null;
  for (const { conditions } of indexOf(conditionals)(call.arguments)) {
    const conditional = withConditions(binding, conditions ?? null);
    // The list may be older than what is kept now.
    const found = kept.find(conditional);
    if (found !== null) return lastingGrant(found, conditional, kept);
  }
  return null;
}

function lastingGrant({ id, at }: StoredGrant, binding: GrantBinding, kept: GrantStore): FoundGrant {
  return {
    by: { type: "grant", id, scope: "always" },
    reason: `It was allowed for good on ${at.slice(0, 10)}${whenText(binding.conditions)}.`,
    holds: () => kept.find(binding) !== null,
  };
}
