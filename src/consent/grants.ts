import type { DecisionSource } from "../types/outcome.ts";
import type { ConversationGrants } from "../types/ports.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import { sha256Hex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";
import { describeChanges } from "./definition-changes.ts";

/** Grants of conversations: what a person allowed stays allowed as long as it is the same thing. */
export interface Grants {
  /** The id of the grant that covers the call, or null. */
  find(call: ToolCall, asked: GrantQuestion): string | null;
  /** Keeps the person's answer for the later calls of the tool. */
  add(call: ToolCall, asked: GrantQuestion): void;
  /** Notes that the person allowed the tool as it is now. */
  noteAllowed(call: ToolCall, asked: GrantQuestion): void;
  /** What changed since the person last allowed the tool, in sentences. */
  changes(call: ToolCall, asked: GrantQuestion): readonly string[];
  /** Whether the grant still stands. */
  holds(grants: ConversationGrants, id: string): boolean;
}

interface GrantQuestion {
  readonly grants: ConversationGrants;
  readonly principal: string;
  /** Who asked: a grant against the default does not silence a rule that asks for some arguments. */
  readonly by: DecisionSource;
}

export function createGrants(): Grants {
  const allowedTools = new WeakMap<ConversationGrants, Map<string, CatalogTool>>();
  const toolKey = (call: ToolCall, asked: GrantQuestion) =>
    stableJson([asked.principal, call.tool.route.server, call.tool.route.tool]);

  return {
    find(call, asked) {
      const id = grantId(call, asked);
      return isGrant(asked.grants, id) ? id : null;
    },
    add(call, asked) {
      asked.grants.answers.set(grantId(call, asked), { type: "allow", scope: "conversation" });
    },
    noteAllowed(call, asked) {
      const tools = allowedTools.get(asked.grants) ?? new Map<string, CatalogTool>();
      allowedTools.set(asked.grants, tools.set(toolKey(call, asked), call.tool));
    },
    changes(call, asked) {
      const before = allowedTools.get(asked.grants)?.get(toolKey(call, asked));
      return before === undefined ? [] : describeChanges(before, call.tool);
    },
    holds: isGrant,
  };
}

function isGrant(grants: ConversationGrants, id: string): boolean {
  const answer = grants.answers.get(id);
  return answer?.type === "allow" && answer.scope === "conversation";
}

/** Bound to all that was true when the person agreed: any drift gives another id. */
function grantId(call: ToolCall, asked: GrantQuestion): string {
  const { route, configHash, definitionHash } = call.tool;
  const by = asked.by.type === "rule" ? asked.by.rule : "";
  return `grant_${sha256Hex(stableJson([asked.principal, route.server, route.tool, configHash, definitionHash, by]))}`;
}
