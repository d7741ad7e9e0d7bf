import type { CallReply } from "../../types/outcome.ts";
import type { CallProgress } from "../../types/ports.ts";
import { callAborted, callFailure, shownFailure } from "../call-failure.ts";
import { ingestCallResult } from "../ingest-content.ts";
import { repairError } from "../ingest-envelope.ts";
import type { Era } from "../protocol.ts";
import type { CallAsking } from "../server-requests/answer.ts";
import { answerRound } from "../server-requests/input-required.ts";
import { callSink, rawSink } from "../sinks.ts";
import { sleep } from "../sleep.ts";
import { untilAborted } from "../wait.ts";
import { askAboutTask, type TaskLine, type TaskServer } from "./ask-about-task.ts";
import { leastPollMs, readTask, type Task } from "./read-task.ts";
import { requestTask } from "./request-task.ts";

/** The call that became a task. */
export interface TaskCall {
  /** The form of tasks that the server has. */
  readonly era: Era;
  /** What it may ask for, null when nothing. */
  readonly asking: CallAsking | null;
  readonly onProgress: (progress: CallProgress) => void;
}

interface Following extends TaskLine {
  readonly call: TaskCall;
  /** What the server said last, so that only a change is a sign of life. */
  changed: string;
  changes: number;
  /** Keys of what was answered already: a server lists them until it has looked at the answer. */
  readonly answered: Set<string>;
  reply: CallReply | null;
  /** A `tasks/result` waits for the end. */
  waiting: boolean;
  /** The server does not let anybody wait for the end. */
  refused: boolean;
  /** Ends the pause that is under way. */
  wake: () => void;
}

/**
 * Follows a task to its end, through lost connections: asks about it at the server's pace or when the server says that
 * it has changed, and answers what it needs. When `signal` fires the server is told (`tasks/cancel`), and the promise
 * rejects with `call_aborted` at once. Rejects with a HostError of a `call_*` code; sets no time limit of its own.
 */
export async function followTask(
  task: Task,
  call: TaskCall,
  server: TaskServer,
  signal: AbortSignal,
): Promise<CallReply> {
  const over = new AbortController();
  const following = begin(task.id, call, server, AbortSignal.any([signal, over.signal]));
  const stopListening = server.current()?.requests.tasks.listen(task.id, () => following.wake());
  try {
    return await untilAborted(toItsEnd(following, task), following.signal);
  } catch (thrown) {
    if (signal.aborted) {
      cancelTask(following);
      throw callAborted(true);
    }
    throw thrown;
  } finally {
    stopListening?.();
    over.abort();
  }
}

/** The end of a task that an earlier process followed; null while it goes on. Rejects as `followTask` does. */
export async function askForEnd(
  id: string,
  server: TaskServer,
  signal: AbortSignal,
): Promise<CallReply | null> {
  const { era } = await server.connection(signal);
  const following = begin(id, { era, asking: null, onProgress: () => {} }, server, signal);
  const task = await look(following);
  const goesOn = task.status === "working" || task.status === "input_required";
  return goesOn ? null : endOf(following, task);
}

function begin(id: string, call: TaskCall, server: TaskServer, signal: AbortSignal): Following {
  return {
    ...{ id, server, signal, reconnected: false },
    ...{ call, changed: "", changes: 0, answered: new Set() },
    ...{ reply: null, waiting: false, refused: false, wake: () => {} },
  };
}

async function toItsEnd(following: Following, created: Task): Promise<CallReply> {
  report(following, created);
  // What makes a task of a call says how it stands, but not yet how it ended or what it needs.
  const isWhole = following.call.era === "legacy" || created.status === "working";
  for (let task = isWhole ? created : await look(following); ; task = await look(following)) {
    report(following, task);
    const end = await endOf(following, task);
    if (end !== null) return end;
    if (task.asks.length > 0) await answerAll(following, task);
    await pause(following, task.pollMs);
    if (following.reply !== null) return following.reply;
  }
}

async function look(following: Following): Promise<Task> {
  const task = readTask(await askAboutTask(following, "tasks/get", {}));
  if (task?.id !== following.id) throw failed(following, "answered with something else than the call's task");
  return task;
}

/** A change is a sign of life, and is shown as progress. */
function report(following: Following, { changed, text }: Task): void {
  if (following.changes > 0 && following.changed === changed) return;
  following.changed = changed;
  following.changes += 1;
  following.call.onProgress({ progress: following.changes, ...(text === "" ? {} : { text }) });
}

/** The call's end; null while there is none. */
async function endOf(following: Following, task: Task): Promise<CallReply | null> {
  const isOver = task.status === "completed" || task.status === "failed";
  if (task.status === "cancelled") throw failed(following, "cancelled it", task.text);
  if (following.call.era === "legacy") {
    if (isOver) return ingestCallResult(await askAboutTask(following, "tasks/result", {}));
    if (!following.refused || task.status === "input_required") waitForResult(following);
    return null;
  }
  if (task.status === "completed") return ingestCallResult(task.result);
  if (!isOver) return null;
  const { code, message } = repairError(task.error ?? task.text);
  throw failed(following, `ended it with error ${code}`, message);
}

/**
 * Waits beside the questions about it: in this request a server of 2025-11-25 asks for what it needs, and it is
 * answered when the task ends.
 */
function waitForResult(following: Following): void {
  const { server, signal, call, id } = following;
  const connection = server.current();
  if (following.waiting || connection === null) return;
  following.waiting = true;
  const sink = { ...callSink(() => {}), asking: call.asking };
  void requestTask(connection, "tasks/result", { taskId: id }, sink, signal).then(() => {
    following.waiting = false;
    following.reply = sink.reply;
    following.refused = sink.error !== null && !sink.streamLost;
    following.wake();
  });
}

async function answerAll(following: Following, { asks }: Task): Promise<void> {
  const { server, signal, call, answered } = following;
  const requests = asks.filter(([key]) => !answered.has(key));
  if (requests.length === 0) return;
  const { answer } = (await server.connection(signal)).requests;
  const asking = { calls: call.asking === null ? [] : [call.asking], signal };
  const next = await answerRound({ requests, state: undefined }, asking, answer);
  if ("error" in next) {
    cancelTask(following);
    throw failed(following, "cannot go on with it", next.error.message);
  }
  for (const [key] of requests) answered.add(key);
  await askAboutTask(following, "tasks/update", next.leg);
}

/** Waits until the server may be asked again; its word that something has changed shortens that, its answer ends it. */
async function pause(following: Following, ms: number): Promise<void> {
  const { server, signal } = following;
  let isWoken = false;
  let end = (): void => {};
  following.wake = () => {
    isWoken = true;
    if (following.reply !== null) end();
  };
  await sleep(server.clock, leastPollMs, signal, (stop) => {
    end = stop;
  });
  if (isWoken || ms <= leastPollMs) return;
  await sleep(server.clock, ms - leastPollMs, signal, (stop) => {
    following.wake = stop;
  });
}

/** Nobody waits for it any more. What the server makes of that is its own affair. */
function cancelTask({ server, id }: Following): void {
  const connection = server.current();
  if (connection === null) return;
  const end = new AbortController();
  const stop = server.clock.after(cancelMs, () => end.abort());
  void requestTask(
    connection,
    "tasks/cancel",
    { taskId: id },
    rawSink({}, () => {}),
    end.signal,
  ).then(stop);
}

const cancelMs = 5_000;

function failed({ server }: Following, what: string, why = ""): Error {
  const reason = why === "" ? "." : `: ${why}`;
  const text = `Server "${server.server}" ran the call as a task and ${what}${reason} It may have run.`;
  return shownFailure(callFailure("call_protocol_error", "maybe", text), undefined, server.redact);
}
