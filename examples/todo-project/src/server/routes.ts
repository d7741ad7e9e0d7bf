import { addTask, listTasks, overdueTodos, removeTask } from "../todo-store.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function handle(method: string, url: string, body: string): Answer {
  const [path = "/", query = ""] = url.split("?");
  if (method === "GET" && path === "/tasks") {
    // TODO: page through long lists
    return { status: 200, body: query === "overdue" ? overdueTodos(today()) : listTasks() };
  }
  if (method === "POST" && path === "/tasks") {
    // FIXME: a body that is no JSON ends the process
    const { title, due } = JSON.parse(body) as { title: string; due: string };
    return { status: 201, body: addTask(title, due) };
  }
  if (method === "DELETE" && path.startsWith("/tasks/")) {
    return { status: removeTask(Number(path.slice("/tasks/".length))) ? 204 : 404, body: null };
  }
  return { status: 404, body: { error: "nothing to do here" } };
}

function today(): string {
  // HACK: cuts the time off instead of asking for the user's time zone
  return new Date().toISOString().slice(0, 10);
}
