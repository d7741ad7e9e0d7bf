import type { RequestSink } from "../sinks.ts";
import { standInError } from "../stand-in.ts";
import { answerRound } from "./input-required.ts";
import type { ServerRequests } from "./server-requests.ts";
import { openRequired, requiredUrls } from "./url-required.ts";

/**
 * What one of the requests that a call takes carries beside name and arguments: the answers to what the server wanted to
 * know, and the state that it gave (MCP 2026-07-28, `inputResponses` and `requestState`).
 */
export type Leg = Readonly<Record<string, unknown>>;

/** How often a server may ask for a further request of one call. */
const roundsAtMost = 10;
const urlRoundsAtMost = 3;

/** Whether the server needs something before the request can end. */
export function needsInput({ asked, asking, error }: RequestSink): boolean {
  return asked !== null || (asking !== null && error !== null && requiredUrls(error) !== null);
}

/**
 * Gets what the server needs and says what the next request carries; null when there is none, and then the
 * sink has its error. `round` counts the requests so far.
 */
export async function nextLeg(
  sink: RequestSink,
  round: number,
  requests: ServerRequests,
  signal: AbortSignal,
): Promise<Leg | null> {
  const asking = { calls: sink.asking === null ? [] : [sink.asking], signal };
  const { asked, error } = sink;
  sink.asked = null;
  if (asked !== null) {
    if (round >= roundsAtMost) {
      sink.error = standInError("unmet-input", `it asked ${round} times to be asked again.`);
      return null;
    }
    const next = await answerRound(asked, asking, requests.answer);
    if ("leg" in next) return next.leg;
    sink.error = next.error;
    return null;
  }
  const urls = error === null ? null : requiredUrls(error);
  if (error === null || urls === null || round > urlRoundsAtMost) return null;
  const refusal = await openRequired(urls, asking, requests.answer, requests.completions);
  sink.error = refusal === null ? null : { ...error, message: `${error.message} ${refusal}` };
  return refusal === null ? {} : null;
}
