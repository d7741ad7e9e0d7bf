import type { ServerQuestion } from "../types/offers.ts";
import { cancelReason, unlessAborted, whenAborted } from "./abort-call.ts";
import { watchCall } from "./call.ts";
import { callAborted, withoutResult } from "./call-failure.ts";
import { type Connection, noTimeout } from "./connection.ts";
import { type Leg, needsInput, nextLeg } from "./server-requests/next-leg.ts";
import { type RawSink, rawSink, sinkKey } from "./sinks.ts";

/** What may be asked beside tools, and what the SDK sees in the place of each result. */
const standIns = {
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [] },
  "prompts/list": { prompts: [] },
  "prompts/get": { messages: [] },
  "completion/complete": { completion: { values: [] } },
} as const;

/** One request to a server. */
export interface Question extends ServerQuestion {
  readonly server: string;
  readonly method: keyof typeof standIns;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Sends one request and resolves with its result as the server sent it, which may be anything. What the server needs
 * before it answers (MCP 2026-07-28, `input_required`) is got from `input`. Rejects with a HostError of a `call_*` code;
 * sets no time limit of its own.
 */
export async function ask(
  connection: Connection,
  question: Question,
  inFlight: Set<() => void>,
  redact: (text: string) => string,
): Promise<unknown> {
  const { server, method, signal, onProgress = () => {}, input } = question;
  if (signal.aborted) throw callAborted(false);
  const callEnd = watchCall(connection);
  const sink = rawSink(standIns[method], onProgress, input);
  let aborted = false;
  const onAbort = () => {
    aborted = true;
  };
  let failure: { readonly thrown: unknown } | null = null;
  try {
    for (let [round, leg]: [number, Leg | null] = [1, {}]; leg !== null; round += 1) {
      failure = await send(connection, question, leg, sink, inFlight, onAbort);
      const asksMore: boolean = !aborted && sink.answer === null && needsInput(sink);
      leg = asksMore
        ? await unlessAborted(signal, inFlight, onAbort, (until) =>
            nextLeg(sink, round, connection.requests, until),
          )
        : null;
    }
  } finally {
    for (const ended of sink.asking?.watchers ?? []) ended();
  }
  // Once the answer is here, nothing that is made of it can undo it.
  if (sink.answer !== null) return sink.answer.result;
  throw withoutResult(sink, failure, aborted, { server, end: callEnd(), redact });
}

/** One request of a question; what was thrown, in a box, or null. */
async function send(
  { client }: Connection,
  { method, params, signal }: Question,
  leg: Leg,
  sink: RawSink,
  inFlight: Set<() => void>,
  onAbort: () => void,
): Promise<{ readonly thrown: unknown } | null> {
  const controller = new AbortController();
  const letGo = whenAborted(signal, inFlight, () => {
    onAbort();
    controller.abort(cancelReason);
  });
  const sent = { ...params, ...leg, _meta: { [sinkKey]: sink } };
  try {
    // The SDK's types name the parameters of each method; here they are the host's own.
    await client.request({ method, params: sent } as never, {
      signal: controller.signal,
      timeout: noTimeout,
    });
    return null;
  } catch (thrown) {
    return { thrown };
  } finally {
    letGo();
  }
}
