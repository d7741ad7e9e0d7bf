import type { Clock } from "../../types/ports.ts";
import { callFailure, shownFailure } from "../call-failure.ts";
import type { Connection } from "../connection.ts";
import { answerInError } from "../failure.ts";
import { invalidParams, methodNotFound } from "../protocol.ts";
import { rawSink } from "../sinks.ts";
import { sleep } from "../sleep.ts";
import { requestTask, type TaskMethod } from "./request-task.ts";

/** What following a task needs of its server. */
export interface TaskServer {
  readonly server: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** The connection there is, or the one that is being made in place of it. Rejects where there will be none. */
  readonly connection: (signal: AbortSignal) => Promise<Connection>;
  /** The connection there is, or null. */
  readonly current: () => Connection | null;
}

/** A task, and how it is reached. */
export interface TaskLine {
  readonly id: string;
  readonly server: TaskServer;
  readonly signal: AbortSignal;
  /** Its connection was lost since. */
  reconnected: boolean;
}

/** How often in a row a request may find no server that answers. */
const mostFailures = 4;
const firstWaitMs = 500;

/** Errors after which asking again is of no use: the server does not know the task, or the method. */
const final = new Set([invalidParams, methodNotFound]);

/**
 * Asks about a task, and again on a new connection where one breaks: the task goes on meanwhile. Resolves with the
 * result as the server sent it; rejects with a HostError of a `call_*` code.
 */
export async function askAboutTask(
  line: TaskLine,
  method: TaskMethod,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { server, signal, id } = line;
  for (let failures = 1; ; failures += 1) {
    const sink = rawSink({}, () => {});
    let thrown: unknown;
    try {
      const connection = await server.connection(signal);
      thrown = await requestTask(connection, method, { ...params, taskId: id }, sink, signal);
    } catch (reason) {
      thrown = reason;
    }
    signal.throwIfAborted();
    if (sink.answer !== null) return sink.answer.result;
    const refusal = sink.streamLost ? null : (sink.error ?? answerInError(thrown));
    if (refusal === null) line.reconnected = true;
    if (refusal !== null && (final.has(refusal.code) || method === "tasks/result"))
      throw shown(line, `does not tell how it ended (error ${refusal.code}: ${refusal.message})`, thrown);
    if (failures === mostFailures) throw shown(line, "cannot be asked about it any more", thrown);
    await sleep(server.clock, firstWaitMs * 2 ** (failures - 1), signal);
  }
}

function shown({ server, reconnected }: TaskLine, what: string, cause: unknown): Error {
  const text = `Server "${server.server}" ran the call as a task and ${what}. It may have run.`;
  const code = reconnected ? "call_connection_lost" : "call_protocol_error";
  return shownFailure(callFailure(code, "maybe", text, cause), cause, server.redact);
}
