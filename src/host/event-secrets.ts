import type { RulesExplanation } from "../consent/explain.ts";
import type { RunEvent } from "../types/events.ts";
import type { JsonObject } from "../types/json.ts";
import type { PolicyExplanation } from "../types/policy.ts";
import type { Secrets } from "../types/ports.ts";
import { isObject } from "../util/own.ts";

/** Members that hold sentences: names, ids and kinds are what events are told apart by, and stay. */
const sentences = new Set([
  "text",
  "reason",
  "message",
  "explanation",
  "rule",
  "failed",
  "suggestedRule",
  "logger",
]);

/** The words of the model and the transcript are the conversation itself: they stay as they are. */
const conversation: ReadonlySet<RunEvent["type"]> = new Set([
  "text_delta",
  "thinking_delta",
  "tool_input_delta",
  "message_completed",
  "run_completed",
] as const);

/** Events are shown and stored by whoever listens; what runs, and the transcript in the result, stay as they are. */
export function withoutSecrets(event: RunEvent, secrets: Secrets): RunEvent {
  if (conversation.has(event.type)) return event;
  const shown = shownMembers(event, secrets.redact);
  // A name that no tool has: whatever the model wrote.
  if (shown.type === "call_rejected") return { ...shown, alias: secrets.redact(shown.alias) };
  if (shown.type !== "call_proposed") return shown;
  const args = shownArguments(shown.arguments, secrets);
  return args === shown.arguments ? shown : { ...shown, arguments: args };
}

/** The same for an explanation of the policy, and the arguments that it was asked about. */
export function explanationWithoutSecrets(
  explained: RulesExplanation,
  args: JsonObject,
  secrets: Secrets,
): PolicyExplanation {
  return { ...shownMembers(explained, secrets.redact), arguments: shownArguments(args, secrets) };
}

function shownArguments(args: JsonObject, secrets: Secrets): JsonObject {
  const shown = secrets.redactJson(args);
  return isObject(shown) ? shown : {};
}

/** The same object where nothing is found. Goes into lists and objects, but not into arguments. */
function shownMembers<T extends object>(value: T, redact: Secrets["redact"]): T {
  let shown: T | null = null;
  for (const [key, member] of Object.entries(value)) {
    const next = key === "arguments" ? member : shownMember(key, member, redact);
    if (next !== member) shown = { ...(shown ?? value), [key]: next };
  }
  return shown ?? value;
}

function shownMember(key: string, member: unknown, redact: Secrets["redact"]): unknown {
  if (typeof member === "string") return sentences.has(key) ? redact(member) : member;
  if (Array.isArray(member)) {
    const isText = key === "warnings";
    const next = member.map((one) => {
      if (typeof one === "string") return isText ? redact(one) : one;
      return isObject(one) ? shownMembers(one, redact) : one;
    });
    return next.some((one, index) => one !== member[index]) ? next : member;
  }
  return isObject(member) ? shownMembers(member, redact) : member;
}
