import type { DefinitionThen } from "../types/definitions.ts";
import type { CallFacts } from "../types/policy.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import { describeChanges } from "./definition-changes.ts";
import type { Assessment } from "./policy.ts";

/** What tools were before, across runs. */
export interface Drift {
  /** What the tool was when it was last used, until a person has accepted what it is now; null: it did not change. */
  before(tool: CatalogTool): DefinitionThen | null;
  /** A person has seen what changed and allowed the tool. */
  accept(tool: CatalogTool): void;
}

export const noDrift: Drift = { before: () => null, accept: () => {} };

/**
 * The assessment of a call whose tool changed since it was last used. A server's word that the tool only reads, or does not
 * reach outside, was believed of another definition, so that what holds by it alone is asked about once; what a rule or
 * a person allows whatever the server says stays allowed, with a warning. `doubted` is the assessment without that word.
 */
export function assessDrift(
  call: Pick<ToolCall, "tool">,
  assessment: Assessment,
  drift: Drift,
  doubted: () => Assessment,
): Assessment {
  if (assessment.type !== "allow" || assessment.by.type === "builtin") return assessment;
  const before = drift.before(call.tool);
  if (before === null) return assessment;
  const [sentence = ""] = changesBefore(before, call.tool);
  const otherwise = doubted();
  if (otherwise.type === "allow") {
    return { ...assessment, warnings: [...assessment.warnings, sentence] };
  }
  const reason = `${sentence} What its server says of it is asked about once.`;
  const byHint = assessment.by.type === "hint" && otherwise.by.type !== "flow";
  const { warnings, shadow } = assessment;
  const tried = shadow === undefined ? {} : { shadow };
  const doubting = { type: "ask", doubted: true, warnings, ...tried } as const;
  if (byHint || otherwise.type === "deny") return { ...assessment, ...doubting, reason, grantable: byHint };
  return { ...otherwise, ...doubting, reason: `${reason} ${otherwise.reason}` };
}

/** What is believed of a call: while its tool's change is not accepted, not what its server says that it does not do. */
export function believedFacts(facts: CallFacts, tool: CatalogTool, drift: Drift): CallFacts {
  return drift.before(tool) === null ? facts : withoutHints(facts);
}

function withoutHints(facts: CallFacts): CallFacts {
  const { destructiveHint, openWorldHint } = facts.annotations;
  return {
    ...facts,
    annotations: {
      ...(destructiveHint === true ? { destructiveHint } : {}),
      ...(openWorldHint === true ? { openWorldHint } : {}),
    },
  };
}

/** Why a call is asked for that a rule or an answer seemed to allow; empty, or with a space behind it. */
export function unexpectedReason({ by, reason, doubted }: Assessment): string {
  return by.type === "hint" || by.type === "flow" || doubted ? `${reason} ` : "";
}

/** What the question about a call says of it: what changed, unless the person is told that already, and oddities of its name. */
export function driftWarnings({ tool }: ToolCall, told: readonly string[], drift: Drift): readonly string[] {
  const before = told.length > 0 ? null : drift.before(tool);
  return [...told, ...(before === null ? [] : changesBefore(before, tool)), ...(tool.warnings ?? [])];
}

function changesBefore(before: DefinitionThen, tool: CatalogTool): readonly string[] {
  return before.definitionHash === ""
    ? ["It is not known whether its definition changed since it was last used."]
    : describeChanges(before, tool, "it was first seen");
}
