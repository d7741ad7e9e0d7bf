import type { ApprovedCall, CallReply } from "./outcome.ts";
import type { ExecutionContext } from "./ports.ts";

/** Who follows a call. */
export interface TaskWatch {
  /** Told once where the server makes a task of the call (MCP tasks). */
  readonly onTask?: (taskId: string) => void;
}

/** Ends of calls that an earlier process made and that became tasks. */
export interface TaskEnds {
  /** Null while the task goes on. Rejects with a `HostError` of a `call_*` code where the end cannot be learnt. */
  taskEnd?(server: string, taskId: string, signal: AbortSignal): Promise<CallReply | null>;
}

/** Records that calls became tasks. */
export interface TaskRecorder {
  /** Takes the record: durable before a later record is. */
  becameTask?(approved: ApprovedCall, taskId: string, context: ExecutionContext): void;
}
