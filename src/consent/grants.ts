import type { ApprovalScope } from "../types/approval.ts";
import type { ConversationGrants } from "../types/consent.ts";
import type { GrantBinding, GrantedTool, GrantStore } from "../types/grants.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { ToolCall } from "../types/tool.ts";
import { sha256Hex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";
import { describeChanges } from "./definition-changes.ts";

/** A grant that covers a call. */
interface FoundGrant {
  readonly by: Extract<DecisionSource, { type: "grant" }>;
  readonly reason: string;
  /** Whether it still stands. */
  holds(): boolean;
}

/** What a person allowed stays allowed as long as it is the same thing: in a conversation, or for good. */
export interface Grants {
  /** The grant that covers the call, or null. */
  find(call: ToolCall, asked: GrantQuestion): FoundGrant | null;
  /** How long the tool may be allowed, the shortest first. */
  scopes(call: ToolCall, grantable: boolean): readonly ApprovalScope[];
  /** Keeps the person's answer for the later calls of the tool. Rejects with `store_failed` when it cannot be kept. */
  add(call: ToolCall, asked: GrantQuestion, scope: "conversation" | "always"): Promise<void>;
  /** Notes that the person allowed the tool as it is now. */
  noteAllowed(call: ToolCall, asked: GrantQuestion): void;
  /** What changed since the person last allowed the tool, in sentences. */
  changes(call: ToolCall, asked: GrantQuestion): readonly string[];
}

interface GrantQuestion {
  readonly grants: ConversationGrants;
  readonly principal: string;
  /** Who asked: a grant against the default does not silence a rule that asks for some arguments. */
  readonly by: DecisionSource;
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
  const lasting = (call: ToolCall) => (mayLast(call.tool.route.server) ? store() : null);

  return {
    find(call, asked) {
      const binding = bindingOf(call, asked);
      const id = conversationId(binding);
      if (isGrant(asked.grants, id)) return ofConversation(asked.grants, id);
      const kept = lasting(call);
      const grant = kept?.find(binding) ?? null;
      if (kept === null || grant === null) return null;
      return {
        by: { type: "grant", id: grant.id, scope: "always" },
        reason: `It was allowed for good on ${grant.at.slice(0, 10)}.`,
        holds: () => kept.find(binding) !== null,
      };
    },
    scopes(call, grantable) {
      if (!grantable) return ["once"];
      return lasting(call) === null ? ["once", "conversation"] : ["once", "conversation", "always"];
    },
    async add(call, asked, scope) {
      const binding = bindingOf(call, asked);
      const inConversation = () =>
        asked.grants.answers.set(conversationId(binding), { type: "allow", scope: "conversation" });
      if (scope === "conversation") inConversation();
      else {
        // Not in the conversation beside it: what is revoked elsewhere must not hold here.
        await lasting(call)
          ?.add(binding, call.tool.definition)
          .catch((error: unknown) => {
            inConversation();
            throw error;
          });
      }
    },
    noteAllowed(call, asked) {
      const tools = allowedTools.get(asked.grants) ?? new Map<string, GrantedTool>();
      allowedTools.set(asked.grants, tools.set(toolKey(call, asked), call.tool));
    },
    changes(call, asked) {
      const before =
        allowedTools.get(asked.grants)?.get(toolKey(call, asked)) ??
        lasting(call)?.allowedBefore(bindingOf(call, asked))[0];
      return before === undefined ? [] : describeChanges(before, call.tool);
    },
  };
}

function ofConversation(grants: ConversationGrants, id: string): FoundGrant {
  return {
    by: { type: "grant", id, scope: "conversation" },
    reason: "It was allowed for this conversation.",
    holds: () => isGrant(grants, id),
  };
}

function isGrant(grants: ConversationGrants, id: string): boolean {
  const answer = grants.answers.get(id);
  return answer?.type === "allow" && answer.scope === "conversation";
}

/** All that was true when the person agreed. */
function bindingOf({ tool }: ToolCall, { principal, by }: GrantQuestion): GrantBinding {
  const { route, configHash, definitionHash } = tool;
  const rule = by.type === "rule" ? by.rule : "";
  return { principal, server: route.server, tool: route.tool, configHash, definitionHash, rule };
}

/** Any drift gives another id. */
function conversationId({ principal, server, tool, configHash, definitionHash, rule }: GrantBinding): string {
  return `grant_${sha256Hex(stableJson([principal, server, tool, configHash, definitionHash, rule]))}`;
}
