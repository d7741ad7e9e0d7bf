import type { ServerConfig } from "../../types/config.ts";
import type { CallReply } from "../../types/outcome.ts";
import type { ServerCall } from "../../types/ports.ts";
import type { ServerTool, ToolRoute } from "../../types/tool.ts";
import { whenAborted } from "../abort-call.ts";
import { callNotSent } from "../call-failure.ts";
import type { Connection } from "../connection.ts";
import type { CallSink } from "../sinks.ts";
import type { TaskServer } from "./ask-about-task.ts";
import { askForEnd, followTask } from "./follow-task.ts";
import type { Task } from "./read-task.ts";

/** How calls of one server become tasks, and what then becomes of them. */
export interface CallTasks {
  /** What the first request of a call says of tasks. Throws a HostError where the call cannot be made. */
  firstLeg(connection: Connection, route: ToolRoute): Readonly<Record<string, unknown>>;
  /** Resolves with the end of the call that became this task. */
  follow(
    task: Task,
    connection: Connection,
    sink: CallSink,
    inFlight: Set<() => void>,
    call: ServerCall,
  ): Promise<CallReply>;
  /** The end of a task that an earlier process followed; null while it goes on. */
  end(taskId: string, signal: AbortSignal): Promise<CallReply | null>;
}

export interface CallTasksSettings extends TaskServer {
  readonly mode: NonNullable<ServerConfig["tasks"]>;
  readonly tool: (name: string) => ServerTool | undefined;
}

/** How long a server is asked to keep a task with its result. */
const ttlMs = 60 * 60 * 1_000;

const plainly = {};
const asTask = { task: { ttl: ttlMs } };

export function createCallTasks(settings: CallTasksSettings): CallTasks {
  const { mode, server } = settings;
  return {
    firstLeg({ takesTasks }, { tool }) {
      // A server without the capability runs every call as one (MCP 2025-11-25, tasks); a modern one decides itself.
      if (!takesTasks) return plainly;
      const support = settings.tool(tool)?.execution?.taskSupport;
      if (mode === "never" && support === "required")
        throw callNotSent(server, "it runs this tool only as a task, and its config turns tasks off.");
      const wanted = support === "required" || (support === "optional" && mode === "always");
      return wanted ? asTask : plainly;
    },
    end: (taskId, signal) => askForEnd(taskId, settings, signal),
    async follow(task, { era }, { asking }, inFlight, { signal, onProgress }) {
      const controller = new AbortController();
      const letGo = whenAborted(signal, inFlight, () => controller.abort());
      try {
        return await followTask(task, { era, asking, onProgress }, settings, controller.signal);
      } finally {
        letGo();
      }
    },
  };
}
