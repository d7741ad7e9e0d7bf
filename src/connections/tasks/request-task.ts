import { type Connection, noTimeout } from "../connection.ts";
import { type CallSink, type RawSink, sinkKey } from "../sinks.ts";

export type TaskMethod = "tasks/get" | "tasks/result" | "tasks/update" | "tasks/cancel";

/** The host reads what servers answer itself; the SDK sees a stand-in, which needs no check. */
const anyResult = {
  "~standard": { version: 1, vendor: "drawbridge", validate: (value: unknown) => ({ value }) },
} as const;

/** Sends one request about a task; the answer goes to the sink. Resolves with what was thrown where there is none. */
export async function requestTask(
  { client, callMeta }: Connection,
  method: TaskMethod,
  params: Readonly<Record<string, unknown>>,
  sink: CallSink | RawSink,
  signal: AbortSignal,
): Promise<unknown> {
  const request = { method, params: { ...params, _meta: { ...callMeta, [sinkKey]: sink } } };
  try {
    // The SDK's types leave these methods out, but it sends them where a schema of the result is given.
    await client.request(request as never, anyResult as never, { signal, timeout: noTimeout });
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}
