import type { ChatRule } from "../../../src/testing/openai-chat/rules/request-view.ts";
import type { ChatServerKind } from "../../../src/testing/openai-chat/server-kind.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The smallest request that breaks one rule, and the nearest one that does not. */
export interface RuleCase {
  readonly rule: ChatRule;
  /** Default: OpenAI's own. */
  readonly kind?: ChatServerKind;
  readonly refused: Wire;
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly accepted: Wire;
}

export const user: Wire = { role: "user", content: "hi" };

/** A request with these fields beside the least there has to be. */
export function body(fields: Wire = {}): Wire {
  return { model: "gpt-4o", messages: [user], ...fields };
}

/** One with these messages behind the question. */
export function talk(...messages: readonly Wire[]): Wire {
  return body({ messages: [user, ...messages] });
}

export function call(id: unknown = "call_1", fields: Wire = {}): Wire {
  return { id, type: "function", function: { name: "t", arguments: "{}", ...fields } };
}

export function turn(...calls: readonly Wire[]): Wire {
  return { role: "assistant", content: null, tool_calls: calls };
}

export function result(id: unknown = "call_1", content: unknown = "ok"): Wire {
  return { role: "tool", tool_call_id: id, content };
}

/** A request with one tool of these fields. */
export function tool(fields: Wire, ...others: readonly Wire[]): Wire {
  const functions = [{ name: "t", ...fields }, ...others];
  return body({ tools: functions.map((definition) => ({ type: "function", function: definition })) });
}

/** A request with one tool of these parameters. */
export function schema(parameters: unknown): Wire {
  return tool({ parameters });
}

export function object(properties: Wire, more: Wire = {}): Wire {
  return { type: "object", properties, ...more };
}
