import type { ArgumentCondition, GrantBinding } from "../types/grants.ts";
import type { Json } from "../types/json.ts";
import type { DecisionSource } from "../types/outcome.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import { sha256Hex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";

/**
 * Why a call was asked about: what asks and, where that is a flow, what would have decided without it. A grant is
 * bound to this among other things.
 */
export interface QuestionReason {
  readonly by: DecisionSource;
  readonly beneath?: DecisionSource | undefined;
  /** Whose private content that flow is about; absent where it is not known. */
  readonly privateFrom?: readonly string[] | undefined;
}

/** All that was true when the person agreed, and the id of it: any drift gives another. */
export interface Bound {
  readonly binding: GrantBinding;
  readonly id: string;
}

/** Tools of a snapshot are the same objects from call to call: hashing is done once for each. */
const known = new WeakMap<CatalogTool, Map<string, Bound>>();
/** Rules and principals of one tool are few. */
const mostKnown = 100;

export function boundOf(
  { tool }: ToolCall,
  { principal, ...asked }: { readonly principal: string } & QuestionReason,
): Bound {
  const rule = reasonOf(asked);
  const key = JSON.stringify([principal, rule]);
  const ofTool = known.get(tool) ?? new Map<string, Bound>();
  const found = ofTool.get(key);
  if (found !== undefined) return found;
  const { route, configHash, definitionHash } = tool;
  const binding = { principal, server: route.server, tool: route.tool, configHash, definitionHash, rule };
  const bound = { binding, id: bindingId(binding) };
  if (ofTool.size < mostKnown) known.set(tool, ofTool.set(key, bound));
  return bound;
}

/** An answer about a flow covers that flow of these servers' content, and no rule beneath it that asks by itself. */
function reasonOf({ by, beneath, privateFrom }: QuestionReason): string {
  if (by.type !== "flow") return by.type === "rule" ? by.rule : "";
  const flow = `${by.flow} ${privateFrom === undefined ? "?" : JSON.stringify(privateFrom)}`;
  return beneath?.type === "rule" ? `${flow} ${beneath.rule}` : flow;
}

export function withConditions(
  binding: GrantBinding,
  conditions: readonly ArgumentCondition[] | null,
): GrantBinding {
  return conditions === null ? binding : { ...binding, conditions };
}

export function bindingId(binding: GrantBinding): string {
  const { principal, server, tool, configHash, definitionHash, rule, conditions } = binding;
  const more = conditions === undefined ? [] : [conditions as unknown as Json];
  const bound = [principal, server, tool, configHash, definitionHash, rule, ...more];
  return `grant_${sha256Hex(stableJson(bound))}`;
}
