import { isObject, own } from "../../util/own.ts";
import type { WireError } from "../protocol.ts";
import { standInError } from "../stand-in.ts";
import type { AnswerRequest, Asking } from "./answer.ts";

/** A result that says what the server needs before it goes on (MCP 2026-07-28, `InputRequiredResult`). */
export interface InputRequired {
  readonly requests: readonly (readonly [key: string, method: string, params: unknown])[];
  /** To be given back as it is; absent where there is none. */
  readonly state: string | undefined;
}

/** What the next request of the same call carries, or why there is none. */
export type NextLeg = { readonly leg: Readonly<Record<string, unknown>> } | { readonly error: WireError };

const mostRequests = 10;

export function readInputRequired(result: Readonly<Record<string, unknown>>): InputRequired {
  const requests = own(result, "inputRequests");
  const state = own(result, "requestState");
  const entries = isObject(requests) ? Object.entries(requests) : [];
  return {
    requests: entries.map(([key, request]) => {
      const method = isObject(request) ? own(request, "method") : undefined;
      return [key, typeof method === "string" ? method : "?", isObject(request) ? request.params : undefined];
    }),
    state: typeof state === "string" ? state : undefined,
  };
}

/** Answers everything that the server needs, one after the other. A request that cannot be answered ends the call. */
export async function answerRound(
  { requests, state }: InputRequired,
  asking: Asking,
  answer: AnswerRequest,
): Promise<NextLeg> {
  const responses: (readonly [string, unknown])[] = [];
  if (requests.length > mostRequests) return failed(`more than ${mostRequests} things at once`, "");
  for (const [key, method, params] of requests) {
    const answered = await answer(method, params, asking);
    if ("error" in answered) return failed(method, ` ${answered.error.message}`);
    responses.push([key, answered.result]);
    if (asking.signal.aborted) break;
  }
  return {
    leg: {
      ...(requests.length === 0 ? {} : { inputResponses: Object.fromEntries(responses) }),
      ...(state === undefined ? {} : { requestState: state }),
    },
  };
}

function failed(what: string, reason: string): NextLeg {
  return { error: standInError("unmet-input", `it asks for input that it does not get (${what}).${reason}`) };
}
