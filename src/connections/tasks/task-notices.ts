import { isObject, own } from "../../util/own.ts";

const statusMethods = new Set(["notifications/tasks/status", "notifications/tasks"]);

/** Who wants to know at once that a server has something new to say of a task. */
export interface TaskNotices {
  /** Takes a notification; false when it is none of a task. What it says is asked for, as it may be older than an answer. */
  heard(method: string, params: unknown): boolean;
  /** The returned function lets go. */
  listen(taskId: string, onNotice: () => void): () => void;
}

export function createTaskNotices(): TaskNotices {
  const listening = new Map<unknown, () => void>();
  return {
    heard(method, params) {
      if (!statusMethods.has(method)) return false;
      if (isObject(params)) listening.get(own(params, "taskId"))?.();
      return true;
    },
    listen(taskId, onNotice) {
      listening.set(taskId, onNotice);
      return () => {
        if (listening.get(taskId) === onNotice) listening.delete(taskId);
      };
    },
  };
}
