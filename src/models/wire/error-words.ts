import { isObject } from "../../util/own.ts";

/** What an API says of an error. */
export interface ErrorWords {
  readonly text: string;
  /** The API's code for it, as text; empty when there is none. */
  readonly code: string;
  readonly type: string;
  /** How long the body asks to wait, in milliseconds; headers win over it. */
  readonly retryAfterMs?: number;
}

/** A text without the key. A very short key is no secret, and part of ordinary words. */
export function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < 8 ? text : text.replaceAll(apiKey, "⟨key⟩");
}

/** The first line with words in it, without markup and without the key. */
export function firstLine(text: string, apiKey = ""): string {
  for (const line of withoutKey(text, apiKey).slice(0, 10_000).split("\n")) {
    const words = line
      .replace(/<[^<>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (words !== "") return words.slice(0, 200);
  }
  return "";
}

/**
 * The words of an error body, in any of the forms that OpenAI, Google and the servers that follow them use:
 * `{error: {message, type, code}}`, the same in a list, `{error: "…"}`, `{message}`, `{detail}`. Null for other bodies.
 */
export function commonErrorWords(body: unknown): ErrorWords | null {
  const first = Array.isArray(body) ? body[0] : body;
  if (!isObject(first)) return null;
  const { error } = first;
  if (typeof error === "string") return { text: error, code: "", type: "" };
  const holder = isObject(error) ? error : first;
  const text = textOf(holder.message) ?? textOf(holder.detail);
  if (text === null) return null;
  const type = holder.type ?? holder.status;
  const code = typeof holder.code === "string" ? holder.code : "";
  return { text, code, type: typeof type === "string" ? type : "" };
}

/** A message, or a list of problems with a place and a message each. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (isObject(value)) return textOf(value.detail) ?? textOf(value.message);
  if (!Array.isArray(value)) return null;
  const problems = value
    .slice(0, 5)
    .filter(isObject)
    .map((problem) => {
      const place = Array.isArray(problem.loc) ? `${problem.loc.join(".")}: ` : "";
      return `${place}${typeof problem.msg === "string" ? problem.msg : ""}`;
    });
  return problems.length === 0 ? null : problems.join("; ");
}
