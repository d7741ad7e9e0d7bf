import { expect, test } from "vitest";
import { createBudget } from "../../src/budget/budget.ts";
import { defaultLimits } from "../../src/config/limits.ts";
import { unlimitedContext } from "../../src/host/context-window.ts";
import { runLoop } from "../../src/loop/run.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import { createConversationMessages } from "../../src/transcript/transcript.ts";
import type { Message } from "../../src/types/message.ts";
import type { LoopPorts } from "../../src/types/ports.ts";
import { systemClock } from "../../src/util/clock.ts";
import { runScript } from "../support/run-host.ts";
import { makeSnapshot } from "../support/tools.ts";

const question: Message = { role: "user", content: [{ type: "text", text: "go" }] };

/** Ports whose parts all work, apart from the stage that answers calls: it breaks its promise never to reject. */
function brokenPorts(fault: () => never): LoopPorts {
  const snapshot = makeSnapshot([]);
  const never = fault as never;
  return {
    model: scriptedModel([{ calls: [{ name: "one" }, { name: "two" }] }]),
    catalog: { snapshot: async () => snapshot, current: () => null },
    resolver: { resolve: async () => fault() },
    consent: never,
    executor: never,
    results: never,
    transcript: createConversationMessages().forRun("run", null),
    budget: createBudget(defaultLimits, systemClock),
    context: unlimitedContext,
    recorder: never,
  };
}

test("a fault of the host itself is a stop of the run, never an exception, and every call still has its result", async () => {
  const ports = brokenPorts(() => {
    throw new Error("a bug of ours");
  });
  const { signal } = new AbortController();
  const emit = () => {};
  const context = { runId: "run", turn: 0, principal: "me", grants: { answers: new Map() }, signal, emit };
  const batch = { ...context, origin: "model", callsPerTurn: 64, onUnasked() {} } as const;
  const settings = { runId: "run", system: "", maxTokens: 100, batch, emit, signal };
  const end = await runLoop({ role: "user", content: question.content as [] }, settings, ports);
  expect(end.stop).toMatchObject({ type: "failed", error: { message: "a bug of ours" } });
  expect(ports.transcript.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
  const asked = ports.transcript.messages[1]?.content.map((block) => "id" in block && block.id);
  expect(ports.transcript.messages[2]?.content).toMatchObject([
    { type: "tool_result", callId: asked?.[0], isError: true },
    { type: "tool_result", callId: asked?.[1], isError: true },
  ]);
});

test("a conversation that a crash left with an open call goes on with a result for it", async () => {
  const open: Message = {
    role: "assistant",
    content: [{ type: "tool_call", id: "lost", name: "s__echo", input: "{}" }],
  };
  const { model } = await runScript([{ text: "done" }], {
    servers: { s: fakeServer([textTool("echo", () => "echo")]) },
    run: { transcript: [question, open] },
  });
  expect(model.requests[0]?.messages[2]?.content[0]).toMatchObject({
    type: "tool_result",
    callId: "lost",
    isError: true,
  });
});
