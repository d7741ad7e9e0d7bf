import type { HostAnswer } from "../../types/fetch.ts";
import type { ModelRequest } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { BrokenAnswer } from "./answer-errors.ts";
import { headOf } from "./post.ts";

/** How an API counts the tokens of a request. */
export interface TokenCounter {
  /** Rejects when the answer is no success. */
  post(request: ModelRequest, signal: AbortSignal): Promise<HostAnswer>;
  /** The number in its parsed answer. */
  read(body: Readonly<Record<string, unknown>>): unknown;
}

/** A count is a help, not a need: longer than this nobody waits for it. */
const countMs = 10_000;

/** Asks an API for the tokens of a request. Rejects when it gives no number in time. */
export async function countTokens(
  counter: TokenCounter,
  request: ModelRequest,
  clock: Clock,
): Promise<number> {
  const limit = new AbortController();
  const abort = linkAbort(request.signal, limit.signal);
  const stop = clock.after(countMs, () => limit.abort());
  try {
    const response = await counter.post(request, abort.signal);
    const body: unknown = JSON.parse(await headOf(response));
    const tokens = typeof body === "object" && body !== null ? counter.read({ ...body }) : undefined;
    if (typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
    throw new BrokenAnswer("The API counted no tokens.");
  } finally {
    stop();
    abort.end();
  }
}
