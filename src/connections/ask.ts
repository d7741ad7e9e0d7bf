import type { ServerQuestion } from "../types/offers.ts";
import { cancelReason, whenAborted } from "./abort-call.ts";
import { callAborted, callFailure, explainCall, shownFailure } from "./call-failure.ts";
import { type Connection, noTimeout } from "./connection.ts";
import { rawSink, sinkKey } from "./sinks.ts";

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
 * Sends one request and resolves with its result as the server sent it, which may be anything. Rejects with a HostError
 * of a `call_*` code; sets no time limit of its own.
 */
export async function ask(
  { client }: Connection,
  question: Question,
  inFlight: Set<() => void>,
  redact: (text: string) => string,
): Promise<unknown> {
  const { server, method, signal, onProgress = () => {} } = question;
  if (signal.aborted) throw callAborted(false);
  const sink = rawSink(standIns[method], onProgress);
  const controller = new AbortController();
  let aborted = false;
  const letGo = whenAborted(signal, inFlight, () => {
    aborted = true;
    controller.abort(cancelReason);
  });
  const params = { ...question.params, _meta: { [sinkKey]: sink } };
  try {
    // The SDK's types name the parameters of each method; here they are the host's own.
    await client.request({ method, params } as never, { signal: controller.signal, timeout: noTimeout });
  } catch (thrown) {
    // Once the answer is here, nothing that is made of it can undo it.
    if (sink.answer === null) throw shownFailure(explainCall(sink, thrown, aborted, server), thrown, redact);
  } finally {
    letGo();
  }
  if (sink.answer === null) {
    throw callFailure("call_protocol_error", "maybe", `Server "${server}" sent no result.`);
  }
  return sink.answer.result;
}
