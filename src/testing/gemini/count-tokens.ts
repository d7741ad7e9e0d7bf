import { isObject } from "../../util/own.ts";
import type { WireObject } from "../wire-server/api.ts";
import type { GeminiRefusal } from "./rules/request-view.ts";

/** What `countTokens` takes (`CountTokensRequest` of the API); the names of its fields in either form. */
const known: ReadonlySet<string> = new Set([
  "model",
  "contents",
  "generateContentRequest",
  "generate_content_request",
]);

/**
 * What is counted of a request to `countTokens`: the whole request to `generateContent` that it holds, or contents
 * alone, which it leaves aside beside one.
 */
export function countedRequest(
  parsed: unknown,
  model: string,
): { readonly body: WireObject } | GeminiRefusal {
  if (!isObject(parsed)) return { message: "Invalid JSON payload received. Unexpected token." };
  const unknown = Object.keys(parsed).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const description = `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
    return { message: description, violations: [{ field: "", description }] };
  }
  const whole = parsed.generateContentRequest ?? parsed.generate_content_request;
  if (whole === undefined) return { body: { contents: parsed.contents } };
  if (!isObject(whole)) return { message: "Invalid value at 'generate_content_request'." };
  const { model: named, ...body } = whole;
  if (named === `models/${model}`) return { body };
  return { message: "* GenerateContentRequest.model: unexpected model name format" };
}
