import type { DetailedRefusal, Rule } from "../../../src/testing/anthropic/rules/request-view.ts";
import type { ValidationSettings } from "../../../src/testing/anthropic/validate.ts";

/** The smallest request that a rule refuses, and the nearest one that the API takes. */
export interface RefusalCase {
  /** Number in the list of the API's rules; 0 for the shapes that they take for granted. */
  readonly rule: number;
  readonly name: string;
  readonly check: Rule;
  readonly refused: object;
  readonly message: string | DetailedRefusal;
  readonly accepted: object;
  readonly settings?: ValidationSettings;
}

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const text = (value: string, extra = {}): object => ({ type: "text", text: value, ...extra });
export const user = (...content: object[]): object => ({ role: "user", content });
export const assistant = (...content: object[]): object => ({ role: "assistant", content });
export const call = (id: string, extra = {}): object => ({
  type: "tool_use",
  id,
  name: "t",
  input: {},
  ...extra,
});
export const result = (id: string, extra = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  ...extra,
});
export const image = (media_type: string, data: string): object => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
export const ephemeral = { cache_control: { type: "ephemeral" } } as const;
export const anHour = { cache_control: { type: "ephemeral", ttl: "1h" } } as const;

/** A request that is right but for what it is given. */
export function request(messages: unknown = [user(text("hello"))], extra = {}): object {
  return { model: "claude-opus-5", max_tokens: 100, messages, ...extra };
}

/** A request with one word of the user. */
export const asking = (extra: object): object => request(undefined, extra);

export function tool(extra: object = {}): object {
  return { name: "t", input_schema: { type: "object", properties: {} }, ...extra };
}

/** A request whose one tool has this schema. */
export function schema(input_schema: object, extra: object = {}): object {
  return asking({ tools: [tool({ input_schema: { type: "object", ...input_schema }, ...extra })] });
}

/** A request in which a call was answered. */
export const answered = (first: object, second: object): object =>
  request([user(text("go")), assistant(first), user(second)]);
