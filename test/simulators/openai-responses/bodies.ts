import type { ResponsesRule } from "../../../src/testing/openai-responses/rules/request-view.ts";
import type { ResponsesValidationSettings } from "../../../src/testing/openai-responses/validate.ts";

export type Wire = Readonly<Record<string, unknown>>;

/** The smallest request that breaks one rule, and the nearest one that does not. */
export interface RuleCase {
  readonly rule: ResponsesRule;
  readonly refused: Wire;
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
  /** Default: 400. */
  readonly status?: number;
  readonly accepted: Wire;
  readonly settings?: ResponsesValidationSettings;
}

export const user: Wire = { role: "user", content: "hi" };

/** A request with these fields beside the least there has to be. */
export function body(fields: Wire = {}): Wire {
  return { model: "gpt-5.6", input: [user], ...fields };
}

/** One with these items behind the question. */
export function talk(...items: readonly unknown[]): Wire {
  return body({ input: [user, ...items] });
}

/** One whose question has these parts. */
export function asking(...parts: readonly unknown[]): Wire {
  return body({ input: [{ role: "user", content: parts }] });
}

export function answered(...parts: readonly unknown[]): Wire {
  return { type: "message", role: "assistant", content: parts };
}

export const said: Wire = answered({ type: "output_text", text: "ok" });

export function call(fields: Wire = {}): Wire {
  return { type: "function_call", call_id: "call_1", name: "t", arguments: "{}", ...fields };
}

export function output(fields: Wire = {}): Wire {
  return { type: "function_call_output", call_id: "call_1", output: "ok", ...fields };
}

export function reasoning(fields: Wire = {}): Wire {
  return { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAsecret", ...fields };
}

export function image(url: unknown): Wire {
  return { type: "input_image", image_url: url };
}

/** A request with one tool of these fields. */
export function tool(fields: Wire, ...others: readonly Wire[]): Wire {
  const functions = [{ name: "t", ...fields }, ...others];
  return body({ tools: functions.map((definition) => ({ type: "function", ...definition })) });
}

/** A request with one tool of these parameters. */
export function schema(parameters: unknown, more: Wire = {}): Wire {
  return tool({ parameters, ...more });
}

export function object(properties: Wire, more: Wire = {}): Wire {
  return { type: "object", properties, ...more };
}

/** A tool without this member. */
export function without(item: Wire, name: string): Wire {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));
}
