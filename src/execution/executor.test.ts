import { expect, test } from "vitest";
import { defaultLimits } from "../config/limits.ts";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import type { Limits } from "../types/config.ts";
import type { RunEvent } from "../types/events.ts";
import type { ApprovedCall, CallOutcome, CallReply } from "../types/outcome.ts";
import type { CallRecorder, ServerCall } from "../types/ports.ts";
import type { ToolAnnotations } from "../types/tool.ts";
import { createExecutor, createServerLimiters } from "./executor.ts";

const reply: CallReply = { content: [{ type: "text", text: "ok" }], isError: false, repairs: [] };

function approvedCall(id: string, annotations: ToolAnnotations = {}, trusted = true): ApprovedCall {
  const tool = {
    alias: "s__t",
    route: { server: "s", tool: "t" },
    definition: { name: "t", description: "", inputSchema: {}, annotations },
    definitionHash: "d",
    configHash: "c",
    trusted,
    listed: true,
  };
  const call = { id, tool, arguments: {}, argumentsJson: "{}", warnings: [] };
  const decision = { type: "allow", by: { type: "default" }, reason: "", warnings: [], waitedMs: 0 } as const;
  // The stamp is checked by `recheck`, which a test replaces.
  return { call, decision } as unknown as ApprovedCall;
}

/** A server that answers as the test says, and notes what happened in order. */
function setUp(
  answer: (call: ServerCall, attempt: number) => Promise<CallReply>,
  limits: Partial<Limits> = {},
) {
  const clock = createTestClock();
  const order: string[] = [];
  const events: RunEvent[] = [];
  const abort = new AbortController();
  const recorder: CallRecorder = {
    async intended(approved, attempt) {
      order.push(`intent ${approved.call.id} ${attempt}`);
    },
    settled(approved, outcome, attempt) {
      order.push(`outcome ${approved.call.id} ${attempt} ${outcome.type}`);
    },
  };
  let sent = 0;
  const settings = {
    limits: { ...defaultLimits, ...limits },
    clock,
    recorder,
    recheck: (): string | null => null,
    serverLimiter: createServerLimiters(limits.callsPerServer ?? 8),
    call(call: ServerCall) {
      sent += 1;
      order.push(`send ${sent}`);
      return answer(call, sent);
    },
  };
  const context = {
    runId: "r",
    turn: 1,
    signal: abort.signal,
    emit: (event: RunEvent) => events.push(event),
    current: () => null,
  };
  const execute = (approved: ApprovedCall): Promise<CallOutcome> =>
    createExecutor(settings).execute(approved, context);
  return { clock, order, events, abort, settings, context, execute, sent: () => sent };
}

/** Waits until the call is cancelled, as a connection does. */
function hang(call: ServerCall): Promise<CallReply> {
  return new Promise((_, reject) => {
    call.signal.addEventListener("abort", () =>
      reject(new HostError("call_aborted", "cancelled", { data: { executed: "maybe" } })),
    );
  });
}

test("the intent is recorded before the call is sent, and the outcome after it", async () => {
  const { execute, order } = setUp(async () => reply);
  expect(await execute(approvedCall("a"))).toMatchObject({ type: "answered", attempts: 1 });
  expect(order).toEqual(["intent a 1", "send 1", "outcome a 1 answered"]);
});

test("a call that cannot be recorded is not sent", async () => {
  const { execute, settings, sent, events } = setUp(async () => reply);
  settings.recorder.intended = () => Promise.reject(new HostError("audit_failed", "disk full"));
  expect(await execute(approvedCall("a"))).toMatchObject({
    type: "failed",
    code: "audit_failed",
    executed: "no",
  });
  expect(sent()).toBe(0);
  expect(events).toContainEqual({ type: "warning", code: "audit_failed", text: "disk full" });
});

test("a call whose tool changed since the decision is not sent", async () => {
  const { execute, settings, sent, order } = setUp(async () => reply);
  settings.recheck = () => "its definition changed";
  expect(await execute(approvedCall("a"))).toMatchObject({ code: "call_unstamped", executed: "no" });
  expect([sent(), order]).toEqual([0, []]);
});

test("a change while the intent was written is noticed, and the record says that nothing ran", async () => {
  const { execute, settings, sent, order } = setUp(async () => reply);
  let asked = 0;
  settings.recheck = () => (++asked === 1 ? null : "its definition changed");
  expect(await execute(approvedCall("a"))).toMatchObject({ code: "call_unstamped", executed: "no" });
  expect([sent(), order]).toEqual([0, ["intent a 1", "outcome a 1 failed"]]);
});

test("a call without a sign of life times out, and progress that moves keeps it alive until the hard limit", async () => {
  const silent = setUp(hang, { callIdleMs: 100, callHardMs: 1_000 });
  const first = silent.execute(approvedCall("a"));
  await silent.clock.advance(100);
  expect(await first).toMatchObject({ code: "call_timeout", executed: "maybe", ms: 100 });

  let report = (_: number) => {};
  const busy = setUp(
    (call) => {
      report = (progress) => call.onProgress({ progress });
      return hang(call);
    },
    { callIdleMs: 100, callHardMs: 250 },
  );
  const second = busy.execute(approvedCall("a"));
  for (const step of [1, 2, 3, 4]) {
    await busy.clock.advance(60);
    report(step);
  }
  await busy.clock.advance(60);
  expect(await second).toMatchObject({ code: "call_timeout", ms: 250 });
  expect(busy.clock.pending()).toBe(0);
});

test.each([
  [500, 500],
  [50, 50],
])(
  "a server whose own time is %s ms has all of it for a call, also without a sign of life",
  async (own, ms) => {
    const { clock, context, settings } = setUp(hang, { callIdleMs: 100, callHardMs: 200 });
    const executor = createExecutor({
      ...settings,
      timeoutOf: (server) => (server === "s" ? own : undefined),
    });
    const running = executor.execute(approvedCall("a"), context);
    await clock.advance(ms - 1);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(await running).toMatchObject({ code: "call_timeout", ms });
  },
);

test("a flood of progress keeps a call alive, but only some of it is told", async () => {
  let report = (_: number) => {};
  const { clock, execute, events } = setUp(
    (call) => {
      report = (progress) => call.onProgress({ progress });
      return hang(call);
    },
    { callIdleMs: 100, callHardMs: 10_000 },
  );
  const told = () => events.filter(({ type }) => type === "call_progress").length;
  const running = execute(approvedCall("a"));
  await clock.advance(90);
  for (let step = 1; step <= 5_000; step += 1) report(step);
  expect(told()).toBe(100);
  await clock.advance(50);
  for (let step = 5_001; step <= 9_000; step += 1) report(step);
  expect(told()).toBe(101);
  await clock.advance(100);
  expect(await running).toMatchObject({ code: "call_timeout", ms: 240 });
});

test("progress that repeats itself buys no time", async () => {
  let report = () => {};
  const { clock, execute } = setUp(
    (call) => {
      report = () => call.onProgress({ progress: 1 });
      return hang(call);
    },
    { callIdleMs: 100, callHardMs: 10_000 },
  );
  const running = execute(approvedCall("a"));
  await clock.advance(90);
  report();
  await clock.advance(90);
  report();
  await clock.advance(10);
  expect(await running).toMatchObject({ code: "call_timeout", ms: 190 });
});

test("after a timeout an idempotent call of a trusted server is sent once more, with the same arguments", async () => {
  const { clock, execute, order } = setUp(
    (call, attempt) => (attempt === 1 ? hang(call) : Promise.resolve(reply)),
    {
      callIdleMs: 100,
      callHardMs: 1_000,
    },
  );
  const running = execute(approvedCall("a", { idempotentHint: true }));
  await clock.advance(100);
  expect(await running).toMatchObject({ type: "answered", attempts: 2 });
  expect(order).toEqual([
    "intent a 1",
    "send 1",
    "outcome a 1 failed",
    "intent a 2",
    "send 2",
    "outcome a 2 answered",
  ]);
});

test.each([
  ["a tool without hints", {}, true],
  ["an idempotent tool of a server nobody trusts", { idempotentHint: true }, false],
  ["a destructive tool that calls itself read-only", { readOnlyHint: true, destructiveHint: true }, true],
])("after a timeout %s is not sent again", async (_, annotations, trusted) => {
  const { clock, execute, sent } = setUp(hang, { callIdleMs: 100, callHardMs: 1_000 });
  const running = execute(approvedCall("a", annotations, trusted));
  await clock.advance(100);
  expect(await running).toMatchObject({ code: "call_timeout", attempts: 1 });
  expect(sent()).toBe(1);
});

test("a call that surely was not sent is sent again, whatever its tool", async () => {
  const { execute } = setUp((_, attempt) =>
    attempt === 1
      ? Promise.reject(new HostError("call_not_sent", "pipe closed", { data: { executed: "no" } }))
      : Promise.resolve(reply),
  );
  expect(await execute(approvedCall("a", {}, false))).toMatchObject({ type: "answered", attempts: 2 });
});

test("an error of the tool is an answer and is never repeated", async () => {
  const { execute, sent } = setUp(async () => ({ ...reply, isError: true }));
  expect(await execute(approvedCall("a", { idempotentHint: true }))).toMatchObject({ type: "answered" });
  expect(sent()).toBe(1);
});

test("an abort ends running and waiting calls at once, and none is sent afterwards", async () => {
  const { abort, execute, sent, order } = setUp(hang, { callsPerServer: 1 });
  const running = execute(approvedCall("a", { idempotentHint: true }));
  const waiting = execute(approvedCall("b"));
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  expect(await running).toMatchObject({ code: "call_aborted", executed: "maybe" });
  expect(await waiting).toMatchObject({ code: "call_aborted", executed: "no" });
  expect(sent()).toBe(1);
  expect(order).toEqual(["intent a 1", "send 1", "outcome a 1 failed"]);
});

/** The first attempt times out and may have run; the second ends as the test says. */
async function afterTimeout(second: () => Promise<CallReply>) {
  const set = setUp((call, attempt) => (attempt === 1 ? hang(call) : second()), {
    callIdleMs: 100,
    callHardMs: 1_000,
  });
  const running = set.execute(approvedCall("a", { idempotentHint: true }));
  await set.clock.advance(99);
  return { set, running };
}

test("a second attempt that may not be made leaves what is known of the first: it may have run", async () => {
  const { set, running } = await afterTimeout(async () => reply);
  set.settings.recheck = () => "its definition changed";
  await set.clock.advance(1);
  expect(await running).toMatchObject({ code: "call_timeout", executed: "maybe", attempts: 1 });
  expect(set.sent()).toBe(1);
});

test("a second attempt that cannot be recorded leaves what is known of the first", async () => {
  const { set, running } = await afterTimeout(async () => reply);
  set.settings.recorder.intended = () => Promise.reject(new HostError("audit_failed", "disk full"));
  await set.clock.advance(1);
  expect(await running).toMatchObject({ code: "call_timeout", executed: "maybe" });
});

test("a second attempt that surely did not run does not make the first one unsaid", async () => {
  const gone = new HostError("call_not_sent", "pipe closed", { data: { executed: "no" } });
  const { set, running } = await afterTimeout(() => Promise.reject(gone));
  await set.clock.advance(1);
  expect(await running).toMatchObject({ code: "call_timeout", executed: "maybe", attempts: 2 });
  expect(set.order.at(-1)).toBe("outcome a 2 failed");
});
