import type { AllowDecision, ApprovedCall } from "../types/outcome.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";

/** Marks calls as allowed. A copy or a look-alike of a stamped call is not stamped. */
export interface Stamps {
  /** `holds` is asked again before each attempt: whether what the decision rests on still stands. */
  stamp(call: ToolCall, decision: AllowDecision, holds: () => boolean): ApprovedCall;
  /** Why the call may not run, or null. */
  recheck(approved: ApprovedCall, current: CatalogTool | null): string | null;
}

interface Stamp {
  readonly holds: () => boolean;
  /** Whether the arguments that are sent are, byte for byte, the text that was shown. */
  readonly isAsShown: boolean;
}

export function createStamps(): Stamps {
  const stamped = new WeakMap<object, Stamp>();
  return {
    stamp(call, decision, holds) {
      // Nobody who holds the call can change what was decided about.
      deepFreeze(call.arguments);
      Object.freeze(call);
      // The brand exists in types only: this is the one place that may give it.
      const approved = Object.freeze({ call, decision: Object.freeze(decision) }) as unknown as ApprovedCall;
      stamped.set(approved, { holds, isAsShown: JSON.stringify(call.arguments) === call.argumentsJson });
      return approved;
    },
    recheck(approved, current) {
      const stamp = stamped.get(approved);
      if (stamp === undefined) return "It was never allowed: nobody decided about this call.";
      if (!stamp.isAsShown) return "Its arguments are not those that were shown.";
      if (!stamp.holds()) return "The grant that allowed it was taken back.";
      return describeDrift(approved.call.tool, current);
    },
  };
}

function describeDrift(allowed: CatalogTool, current: CatalogTool | null): string | null {
  if (current?.listed !== true) return "Its server no longer offers the tool.";
  if (current.configHash !== allowed.configHash) {
    return "The configuration of its server changed since the call was allowed.";
  }
  if (current.definitionHash !== allowed.definitionHash) {
    return "The definition of the tool changed since the call was allowed.";
  }
  return current.trusted === allowed.trusted
    ? null
    : "The trust in its server changed since the call was allowed.";
}
