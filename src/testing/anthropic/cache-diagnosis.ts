import { isObject } from "../../util/own.ts";
import { type CountedPart, countedParts, countInputTokens } from "./count-tokens.ts";
import type { WireObject } from "./rules/request-view.ts";

/** Explains why a prompt was not found in the cache, from the request that `diagnostics.previous_message_id` names. */
export interface CacheDiagnosis {
  /** The `diagnostics` of the answer with this id; null when the request did not ask, or nothing differs. */
  diagnose(request: WireObject, id: string): object | null;
}

interface Fingerprint {
  readonly model: string;
  readonly system: readonly CountedPart[];
  readonly tools: readonly CountedPart[];
  readonly messages: readonly CountedPart[];
  readonly tokens: number;
}

export function createCacheDiagnosis(): CacheDiagnosis {
  const known = new Map<string, Fingerprint>();
  return {
    diagnose(request, id) {
      const now = fingerprint(request);
      known.set(id, now);
      const { diagnostics } = request;
      const previous = isObject(diagnostics) ? diagnostics.previous_message_id : null;
      if (typeof previous !== "string") return null;
      const before = known.get(previous);
      if (before === undefined) return { cache_miss_reason: { type: "previous_message_not_found" } };
      const type = difference(before, now);
      return type === null ? null : { cache_miss_reason: { type, cache_missed_input_tokens: before.tokens } };
    },
  };
}

function fingerprint(request: WireObject): Fingerprint {
  const parts = countedParts(request);
  return {
    model: String(request.model),
    system: parts.filter(({ label }) => label === "system"),
    tools: parts.filter(({ label }) => label === "tool"),
    messages: parts.filter(({ label }) => label === "user" || label === "assistant"),
    tokens: countInputTokens(request),
  };
}

function difference(before: Fingerprint, now: Fingerprint): string | null {
  if (before.model !== now.model) return "model_changed";
  if (!sameParts(before.tools, now.tools) || before.tools.length !== now.tools.length) return "tools_changed";
  if (!sameParts(before.system, now.system) || before.system.length !== now.system.length) {
    return "system_changed";
  }
  return sameParts(before.messages, now.messages) ? null : "messages_changed";
}

/** Whether the first list begins the second. */
function sameParts(before: readonly CountedPart[], now: readonly CountedPart[]): boolean {
  return before.every(({ label, text }, index) => now[index]?.label === label && now[index].text === text);
}
