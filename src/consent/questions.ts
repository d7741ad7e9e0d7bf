import type { ApprovalQuestion, ApprovalScope } from "../types/approval.ts";
import type { ToolCall } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";
import { randomId } from "../util/random-id.ts";
import { stableJson } from "../util/stable-json.ts";
import { conditionsToOffer } from "./extent.ts";
import type { Assessment } from "./policy.ts";

/** Calls of one turn that are asked as one, with the places they have in the turn. */
export interface CallGroup {
  readonly assessment: Assessment;
  readonly calls: [ToolCall, ...ToolCall[]];
  readonly indexes: number[];
}

/** Puts identical calls together: same server, same tool, same bytes of arguments. */
export function addToGroups(
  groups: Map<string, CallGroup>,
  call: ToolCall,
  index: number,
  assessment: Assessment,
): void {
  const { server, tool } = call.tool.route;
  const key = stableJson([server, tool, call.tool.definitionHash, call.argumentsJson]);
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { assessment, calls: [call], indexes: [index] });
  else {
    group.calls.push(call);
    group.indexes.push(index);
  }
}

/** The question for a group; `changes` say what is no longer as it was when the person last allowed the tool. */
export function toQuestion(
  group: CallGroup,
  changes: readonly string[],
  scopes: readonly ApprovalScope[],
  redact: (text: string) => string,
): ApprovalQuestion {
  const conditions = scopes.length > 1 ? conditionsToOffer(group.calls[0], redact) : [];
  return Object.freeze({
    id: randomId("question", 16),
    calls: Object.freeze(group.calls),
    reason: group.assessment.reason,
    warnings: Object.freeze([...changes, ...group.assessment.warnings]),
    scopes: Object.freeze(scopes),
    ...(conditions.length === 0 ? {} : { conditions: deepFreeze(conditions) }),
  });
}
