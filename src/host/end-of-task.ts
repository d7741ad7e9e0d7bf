import { replyBytes } from "../audit/reply-bytes.ts";
import type { AuditEntry } from "../types/audit.ts";
import type { CallOutcome, CallReply } from "../types/outcome.ts";
import type { HostParts } from "./parts.ts";

/** A task as the journal has it. */
export interface JournaledTask {
  readonly server: string;
  readonly tool: string;
  /** The server's own id of it. */
  readonly id: string;
  readonly turn: number;
}

/** The call that became a task. */
interface CallPlace {
  readonly run: string;
  readonly call: string;
  readonly alias: string;
}

/** How long a server may take to say how a task ended. */
const taskEndMs = 20_000;

const goesOn =
  "The host stopped while this call was running as a task, and its server still works on it: the result is not known yet. " +
  "Do not call it again before you have looked.";

/**
 * The server is asked for the end of a task that was followed when the host stopped; null where it does not tell. An end
 * that is learnt is recorded as that of the call, which had none.
 */
export async function endOfTask(
  { connections, clock, audit }: HostParts,
  task: JournaledTask,
  place: CallPlace,
): Promise<CallOutcome | null> {
  const startedAt = clock.now();
  const limit = new AbortController();
  const stop = clock.after(taskEndMs, () => limit.abort());
  try {
    const reply = await connections.taskEnd?.(task.server, task.id, limit.signal);
    const ended = { attempts: 1, ms: Math.round(clock.now() - startedAt) };
    if (reply === null)
      return { type: "failed", code: "call_aborted", message: goesOn, executed: "maybe", ...ended };
    if (reply === undefined) return null;
    // A log that cannot be written ends the run that is about to begin, with the reason.
    await audit?.append(settled(task, place, reply, ended.ms)).catch(() => {});
    return { type: "answered", reply, ...ended };
  } catch {
    return null;
  } finally {
    stop();
  }
}

function settled(
  { server, tool, turn }: JournaledTask,
  place: CallPlace,
  reply: CallReply,
  ms: number,
): AuditEntry {
  return {
    kind: "call_settled",
    ...{ ...place, turn, server, tool },
    outcome: reply.isError ? "error_result" : "answered",
    executed: "yes",
    attempt: 1,
    ms,
    bytesIn: replyBytes(reply),
  };
}
