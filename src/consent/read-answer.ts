import type { ApprovalAnswer, ApprovalScope } from "../types/approval.ts";
import type { ArgumentCondition } from "../types/grants.ts";
import { isObject } from "../util/own.ts";

/**
 * What a program answered, read once: nothing that it does to its object later, or says at another look, changes the
 * answer. Null for what is neither allow nor deny. Throws what the object throws when it is read.
 */
export function readAnswer(answer: unknown): ApprovalAnswer | null {
  if (!isObject(answer)) return null;
  const { type, message, scope, conditions } = answer;
  if (type === "deny") return typeof message === "string" ? { type, message } : { type };
  if (type !== "allow") return null;
  return {
    type: "allow",
    // Consent takes no scope that was not offered, whatever stands here.
    scope: scope as ApprovalScope,
    ...(conditions === undefined ? {} : { conditions: copyOf(conditions) }),
  };
}

/** What has no text is no condition: then this call alone is allowed. */
function copyOf(conditions: unknown): readonly ArgumentCondition[] {
  const text = JSON.stringify(conditions);
  return text === undefined ? [] : JSON.parse(text);
}
