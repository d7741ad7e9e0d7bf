import type { ElicitationAsked } from "../../types/elicitation.ts";
import { outsidePair } from "../../util/one-line.ts";
import { isObject, own } from "../../util/own.ts";
import { readForm } from "./read-form.ts";
import { readUrl } from "./read-url.ts";

const longestMessage = 8_000;

/** The parameters of `elicitation/create`, or why nobody can be asked this. Without a mode it is a form. */
export function readElicitation(params: unknown): ElicitationAsked | string {
  if (!isObject(params)) return "the request has no parameters";
  const message = own(params, "message");
  if (typeof message !== "string") return "the request has no message";
  const mode = own(params, "mode") ?? "form";
  if (mode === "form") return readForm(bounded(message), own(params, "requestedSchema"));
  return mode === "url" ? readUrl(bounded(message), own(params, "url")) : "its mode is neither form nor url";
}

function bounded(message: string): string {
  if (message.length <= longestMessage) return message;
  const head = message.slice(0, outsidePair(message, longestMessage));
  return `${head}… (${message.length - head.length} more characters)`;
}
