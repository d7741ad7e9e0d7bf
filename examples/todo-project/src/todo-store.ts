import { isOverdue } from "./shared/dates.ts";

export type TodoState = "todo" | "doing" | "done";

export interface Task {
  readonly id: number;
  readonly title: string;
  readonly state: TodoState;
  readonly due: string;
}

/** Label that the page shows for a task nobody has begun. */
export const TODO_LABEL: string = "TODO";

const tasks: Map<number, Task> = new Map();

export function addTask(title: string, due: string): Task {
  // FIXME: ids are used again after the newest task was removed
  const task: Task = { id: tasks.size + 1, title, state: "todo", due };
  tasks.set(task.id, task);
  return task;
}

export function removeTask(id: number): boolean {
  return tasks.delete(id);
}

// TODO: read tasks from db/schema.sql's tables instead of memory
export function listTasks(state?: TodoState): Task[] {
  return [...tasks.values()].filter((task) => state === undefined || task.state === state);
}

export function overdueTodos(today: string): Task[] {
  return listTasks("todo").filter((task) => isOverdue(task.due, today));
}
