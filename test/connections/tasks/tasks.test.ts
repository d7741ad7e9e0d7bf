import { expect, test } from "vitest";
import { ofType, runCalls } from "../elicitation/ask-host.ts";
import { textResult } from "../elicitation/asking-server.ts";
import { created, never, task, taskServer } from "./task-server.ts";

const eras = ["legacy", "modern"] as const;
const form = { message: "?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } };
const done = (era: "legacy" | "modern", text: string) =>
  task("completed", era === "modern" ? { result: textResult(text) } : {});

test.each(eras)(
  "a %s call that becomes a task is followed to its result, its states as progress",
  async (era) => {
    const states = [task("working", { statusMessage: "half" }), done(era, "made")];
    const server = taskServer({
      era,
      taskSupport: "required",
      answers: {
        "tools/call": () => created(era),
        "tasks/get": () => states.shift(),
        // A server that does not let anybody wait for the end.
        "tasks/result": () =>
          states.length > 0 ? { error: { code: -32600, message: "not yet" } } : textResult("made"),
      },
    });
    const { told, events } = await runCalls(server, ["t"]);
    expect(told).toBe("made");
    expect(ofType(events, "call_progress")).toMatchObject([
      { progress: 1 },
      { progress: 2, text: "half" },
      { progress: 3 },
    ]);
    const call = server.sent.find(({ method }) => method === "tools/call");
    expect(call?.params).toMatchObject(era === "legacy" ? { task: { ttl: 3_600_000 } } : { name: "t" });
    expect(server.capabilities()).toEqual(
      era === "modern" ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {},
    );
  },
);

test("the end that a legacy server answers to a waiting request ends the call at once", async () => {
  const server = taskServer({
    era: "legacy",
    taskSupport: "required",
    answers: {
      "tools/call": () => ({ task: task("working", { pollInterval: 30_000 }) }),
      "tasks/result": () => textResult("made"),
    },
  });
  expect((await runCalls(server, ["t"])).told).toBe("made");
  expect(server.methods()).toEqual(["tools/call", "tasks/result"]);
});

test("a server's word that a task has changed shortens the wait for the next question", async () => {
  const server = taskServer({
    era: "modern",
    answers: {
      "tools/call"(_params, { send }) {
        setTimeout(() => send({ method: "notifications/tasks", params: task("working") }), 20);
        return { ...task("working", { pollIntervalMs: 30_000 }), resultType: "task" };
      },
      "tasks/get": () => done("modern", "made"),
    },
  });
  expect((await runCalls(server, ["t"])).told).toBe("made");
});

test.each(eras)("what a task of a %s server needs is asked for once, and the task goes on", async (era) => {
  let asked = 0;
  let answer: unknown;
  const needs = task("input_required", {
    inputRequests: { k: { method: "elicitation/create", params: form } },
  });
  const states = era === "modern" ? [needs, needs, done(era, "made")] : [needs, done(era, "made")];
  const server = taskServer({
    era,
    taskSupport: "required",
    answers: {
      "tools/call": () => created(era),
      "tasks/get": () => states.shift(),
      "tasks/update"(params) {
        answer = params.inputResponses;
        return { resultType: "complete" };
      },
      async "tasks/result"(_params, { ask }) {
        answer = { k: (await ask("elicitation/create", form)).result };
        return textResult("made");
      },
    },
  });
  const { told } = await runCalls(server, ["t"], {
    elicit() {
      asked += 1;
      return { action: "accept", content: { a: "x" } };
    },
  });
  expect(told).toBe("made");
  expect(asked).toBe(1);
  expect(answer).toEqual({ k: { action: "accept", content: { a: "x" } } });
});

test("a task that is over as soon as it is made has its result too", async () => {
  const server = taskServer({
    era: "modern",
    answers: {
      "tools/call": () => ({ ...task("completed"), resultType: "task" }),
      "tasks/get": () => done("modern", "made"),
    },
  });
  expect((await runCalls(server, ["t"])).told).toBe("made");
  expect(server.methods()).toEqual(["tools/call", "tasks/get"]);
});

test.each(eras)("a task of a %s server that has no time left is cancelled at the server", async (era) => {
  const server = taskServer({
    era,
    taskSupport: "required",
    settings: { timeout: 100 },
    answers: {
      "tools/call": () => created(era),
      "tasks/get": () => task("working"),
      "tasks/result": () => never,
      "tasks/cancel": () => task("cancelled"),
    },
  });
  const { told } = await runCalls(server, ["t"]);
  expect(told).toContain("Timed out");
  const cancel = server.sent.find(({ method }) => method === "tasks/cancel");
  expect(cancel?.params).toMatchObject({ taskId: "task-1" });
});

test.each(eras)(
  "a task of a %s server that fails or is cancelled there is an error that may have run",
  async (era) => {
    const error = { code: -32603, message: "no luck" };
    const ends = {
      failed: era === "modern" ? { ...task("failed"), error } : task("failed"),
      cancelled: task("cancelled", { statusMessage: "by the operator" }),
      unknown: { error: { code: -32602, message: "Task not found" } },
      strange: { taskId: "another", status: "working" },
    };
    const told: string[] = [];
    for (const end of Object.values(ends)) {
      const server = taskServer({
        era,
        taskSupport: "required",
        answers: {
          "tools/call": () => created(era),
          "tasks/get": () => end,
          "tasks/result": () => ({ error }),
        },
      });
      told.push((await runCalls(server, ["t"])).told);
    }
    expect(told[0]).toContain("no luck");
    expect(told[1]).toContain("by the operator");
    expect(told[2]).toContain("Task not found");
    for (const text of told) expect(text).toContain("may have run");
  },
);

test.each([
  ["auto", "optional", true, false],
  ["auto", "forbidden", true, false],
  ["always", "optional", true, true],
  ["always", "required", false, false],
] as const)(
  "with %s a tool whose support is %s becomes a task only where it should",
  async (tasks, taskSupport, declared, isTask) => {
    const server = taskServer({
      era: "legacy",
      taskSupport,
      tasks: declared,
      settings: { tasks },
      answers: {
        "tools/call": (params) => (params.task === undefined ? textResult("plain") : created("legacy")),
        "tasks/result": () => textResult("task"),
      },
    });
    expect((await runCalls(server, ["t"])).told).toBe(isTask ? "task" : "plain");
  },
);

test("where tasks are turned off, a tool that needs one is not called, and a modern server is not told of them", async () => {
  const answers = { "tools/call": () => textResult("plain") };
  const settings = { tasks: "never" } as const;
  const legacy = taskServer({ era: "legacy", taskSupport: "required", settings, answers });
  expect((await runCalls(legacy, ["t"])).told).toContain("turns tasks off");
  expect(legacy.methods()).toEqual([]);
  const modern = taskServer({ era: "modern", settings, answers });
  expect((await runCalls(modern, ["t"])).told).toBe("plain");
  expect(modern.capabilities()).toEqual({});
});
