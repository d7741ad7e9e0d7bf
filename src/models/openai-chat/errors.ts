import { isObject } from "../../util/own.ts";
import { StreamErrorEvent } from "../wire/answer-errors.ts";
import { commonErrorWords, type ErrorWords } from "../wire/error-words.ts";
import type { EncodedTools } from "../wire/tools.ts";

/** Codes of limits that waiting does not lift. */
const spendCodes: ReadonlySet<string> = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

export function isSpendLimit({ code, type }: ErrorWords): boolean {
  return spendCodes.has(code) || spendCodes.has(type);
}

/** Ways to say that there is no such model, of the servers that have no code for it. */
const unknownModelWords: readonly string[] = [
  "not found",
  "not exist",
  "invalid model",
  "not a valid model",
  "no such model",
];

export function isUnknownModel(status: number, { code, text }: ErrorWords): boolean {
  if (code === "model_not_found") return true;
  const words = text.toLowerCase();
  const fits = status === 404 || status === 400;
  return fits && words.includes("model") && unknownModelWords.some((found) => words.includes(found));
}

/** What servers say that cannot use tools as they are, and what a person can do about it. */
const toolAdvice: readonly (readonly [words: string, advice: string])[] = [
  ["does not support tools", "This model cannot use tools: choose another one, or ask without servers"],
  ["support tool use", "This model cannot use tools: choose another one, or ask without servers"],
  ["--enable-auto-tool-choice", "Start vLLM with these options, or ask without servers"],
  ["--jinja", "Start llama-server with this option, or ask without servers"],
];

/** Refusals that llama.cpp answers with status 500. */
export function isRefusal({ text }: ErrorWords): boolean {
  return ["--jinja", "failed to parse grammar", "JSON schema conversion failed"].some((words) =>
    text.includes(words),
  );
}

/** Which tool a refusal is about, or what the model cannot do. */
export function requestHint(words: string, tools: EncodedTools): string {
  const advice = toolAdvice.find(([found]) => words.includes(found))?.[1];
  if (advice !== undefined) return `. ${advice}`;
  const alias = /function '(?<alias>[a-zA-Z0-9_-]{1,64})'/.exec(words)?.groups?.alias;
  const index = /tools\[(?<index>\d{1,6})\]/.exec(words)?.groups?.index;
  const tool =
    alias === undefined
      ? tools.tools[Number(index ?? Number.NaN)]
      : tools.tools.find((candidate) => candidate.alias === alias);
  return tool === undefined ? "" : `. That tool is "${tool.route.tool}" of the server "${tool.route.server}"`;
}

/** The error that an event of a stream reports: `{error: {message, type, code}}`; `code` may be a status. */
export function streamError(event: Readonly<Record<string, unknown>>): StreamErrorEvent {
  const words = commonErrorWords(event) ?? { text: "", code: "", type: "" };
  const status = isObject(event.error) ? Number(event.error.code) : Number.NaN;
  return new StreamErrorEvent(words.text, meaningOf(status, words));
}

function meaningOf(status: number, { type, code }: ErrorWords): StreamErrorEvent["meaning"] {
  if (status === 429 || type === "rate_limit_exceeded" || code === "rate_limit_exceeded")
    return "rate_limited";
  if (status === 502 || status === 503 || status === 529) return "overloaded";
  return status === 400 || type === "invalid_request_error" ? "rejected" : "other";
}
