import type { CallReply } from "../types/outcome.ts";
import type { ServerCall } from "../types/ports.ts";
import { cancelReason, unlessAborted, whenAborted } from "./abort-call.ts";
import { type CallEnd, callAborted, withoutResult } from "./call-failure.ts";
import { type Connection, noTimeout } from "./connection.ts";
import { type Leg, needsInput, nextLeg } from "./server-requests/next-leg.ts";
import { type CallSink, callSink, sinkKey } from "./sinks.ts";
import type { CallTasks } from "./tasks/call-tasks.ts";

/**
 * Sends one `tools/call` and waits for its end, however long it takes. When the call's signal fires, or somebody runs
 * the action that stands in `inFlight` meanwhile, the server is told and the call rejects with `call_aborted` at once.
 */
export async function callTool(
  connection: Connection,
  call: ServerCall,
  inFlight: Set<() => void>,
  redact: (text: string) => string,
  tasks: CallTasks,
): Promise<CallReply> {
  const { signal } = call;
  const { server } = call.route;
  if (signal.aborted) throw callAborted(false);
  const first = tasks.firstLeg(connection, call.route);
  call.trace?.over({ protocolVersion: connection.protocolVersion, sessionId: connection.sessionId?.() });
  const callEnd = watchCall(connection);
  let progress = 0;
  const onProgress: ServerCall["onProgress"] = (report) => {
    progress = Math.max(progress, report.progress);
    call.onProgress(report);
  };
  const sink = callSink(onProgress, call.input);
  const exchange = connection.direct === null ? throughClient : directly;
  let failure: { readonly thrown: unknown } | null = null;
  let aborted = false;
  const onAbort = () => {
    aborted = true;
  };
  let leg: Leg | null = first;
  for (let round = 1; leg !== null; round += 1) {
    try {
      failure = null;
      await exchange(connection, { call, leg: { ...first, ...leg } }, sink, inFlight, onAbort);
    } catch (thrown) {
      failure = { thrown };
    }
    leg =
      aborted || sink.reply !== null || !needsInput(sink)
        ? null
        : await unlessAborted(call.signal, inFlight, onAbort, (until) =>
            nextLeg(sink, round, connection.requests, until),
          );
  }
  try {
    if (sink.task !== null) call.onTask?.(sink.task.id);
    if (sink.task !== null && !aborted)
      return await tasks.follow(sink.task, connection, sink, inFlight, {
        ...call,
        onProgress: (report) => call.onProgress({ ...report, progress: progress + report.progress }),
      });
  } finally {
    for (const ended of sink.asking?.watchers ?? []) ended();
  }
  // Once the answer is here, nothing that is made of it can undo it.
  if (sink.reply !== null) return sink.reply;
  throw withoutResult(sink, failure, aborted, { server, end: callEnd(), redact });
}

/** Begins to count what a connection brings of no use; the end of the call asks how much it was. */
export function watchCall(connection: Connection): () => CallEnd {
  const before = connection.unusable();
  return () => ({ facts: connection.facts, unusable: connection.unusable() - before });
}

/** One request of a call. */
interface Request {
  readonly call: ServerCall;
  readonly leg: Leg;
}

type Exchange = (
  connection: Connection,
  request: Request,
  sink: CallSink,
  inFlight: Set<() => void>,
  onAbort: () => void,
) => Promise<void>;

/** Beside the SDK's Client, over a transport that carries everything in one stream: a fifth of the work of a call. */
const directly: Exchange = ({ direct }, { call, leg }, sink, inFlight, onAbort) =>
  new Promise((resolve, reject) => {
    const settle = (error?: unknown): void => {
      letGo();
      if (sink.reply === null && sink.asked === null && sink.task === null) reject(error);
      else resolve();
    };
    let aborted = false;
    let cancel: (() => void) | undefined;
    const letGo = whenAborted(call.signal, inFlight, () => {
      aborted = true;
      onAbort();
      cancel?.();
      settle(cancelReason);
    });
    const params = { name: call.route.tool, arguments: call.arguments, ...leg };
    cancel = direct?.(params, sink, settle, call.trace?.meta);
    // A server in this process can abort the run while the call is being handed to it.
    if (aborted) cancel?.();
  });

/** Through the SDK's Client, which knows the streams and headers of HTTP. */
const throughClient: Exchange = async (
  { client, mirrorsArguments, callMeta },
  { call, leg },
  sink,
  inFlight,
  onAbort,
) => {
  const controller = new AbortController();
  const letGo = whenAborted(call.signal, inFlight, () => {
    onAbort();
    controller.abort(cancelReason);
  });
  const params = {
    name: call.route.tool,
    arguments: call.arguments as Record<string, unknown>,
    ...leg,
    _meta: { ...callMeta, ...call.trace?.meta, [sinkKey]: sink },
  };
  const options = { signal: controller.signal, timeout: noTimeout };
  try {
    // Only where headers mirror arguments does the SDK have to look the tool up.
    if (mirrorsArguments) await client.callTool(params, options);
    else await client.request({ method: "tools/call", params }, options);
  } finally {
    letGo();
  }
};
