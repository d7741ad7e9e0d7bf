import { isObject, own } from "../../util/own.ts";
import { urlElicitationRequired, type WireError } from "../protocol.ts";
import type { AnswerRequest, Asking } from "./answer.ts";
import type { Completions } from "./completions.ts";

const mostUrls = 5;

/** What a legacy server wants opened before it begins (MCP 2025-11-25, `URLElicitationRequiredError`); null for another error. */
export function requiredUrls({ code, data }: WireError): readonly Record<string, unknown>[] | null {
  const listed = isObject(data) ? own(data, "elicitations") : undefined;
  if (code !== urlElicitationRequired || !Array.isArray(listed)) return null;
  const urls = listed.filter(isObject).filter((one) => one.mode === "url");
  return urls.length > 0 && urls.length <= mostUrls ? urls : null;
}

/** Asks for everything that has to be opened. Null: the call may be sent again, which it has not begun yet. */
export async function openRequired(
  urls: readonly Record<string, unknown>[],
  asking: Asking,
  answer: AnswerRequest,
  completions: Completions,
): Promise<string | null> {
  for (const params of urls) {
    const answered = await answer("elicitation/create", params, asking);
    if ("error" in answered) return answered.error.message;
    if (answered.result.action !== "accept") return "The person did not open what the server needs first.";
  }
  for (const params of urls) await completions.wait(params.elicitationId, asking.signal);
  return null;
}
