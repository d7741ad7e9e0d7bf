import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { ofType, runCalls } from "./ask-host.ts";
import { type AskingCall, askingServer, extensionsOf, inputRequired, textResult } from "./asking-server.ts";

const eras = ["legacy", "modern"] as const;

const form = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer", minimum: 0, default: 7 } },
    required: ["name"],
  },
};

/** Asks once in the way of its era, and answers with what it got. */
async function askOnce(call: AskingCall, era: (typeof eras)[number], params: unknown): Promise<unknown> {
  if (era === "legacy") return textResult(JSON.stringify(await call.ask("elicitation/create", params)));
  const { inputResponses, requestState } = call.params;
  if (inputResponses === undefined) return inputRequired({ who: { method: "elicitation/create", params } });
  return textResult(JSON.stringify({ inputResponses, requestState }));
}

test.each(eras)("a %s server asks for a form, the person fills it in, and the call goes on", async (era) => {
  const server = askingServer({ era, tools: ["t"], call: (call) => askOnce(call, era, form) });
  const asked: ElicitationRequest[] = [];
  const { events, told, entries } = await runCalls(server, ["t"], {
    elicit(request) {
      asked.push(request);
      return { action: "accept", content: { name: "Ada" } };
    },
  });
  expect(server.capabilities()).toEqual({ elicitation: { form: {}, url: {} }, ...extensionsOf(era) });
  const [request] = asked;
  expect(request).toMatchObject({
    server: "s",
    mode: "form",
    message: "Who are you?",
    principal: expect.any(String),
  });
  expect(request?.calls).toEqual([{ callId: expect.any(String), tool: "t" }]);
  // A field with a default that was left out has it.
  const content = { name: "Ada", age: 7 };
  expect(JSON.parse(told)).toEqual(
    era === "legacy"
      ? { result: { action: "accept", content } }
      : { inputResponses: { who: { action: "accept", content } }, requestState: "state" },
  );
  const [requested] = ofType(events, "elicitation_requested");
  const [answered] = ofType(events, "elicitation_answered");
  expect(requested).toMatchObject({ server: "s", mode: "form", message: "Who are you?" });
  expect(answered).toMatchObject({ elicitationId: requested?.elicitationId, action: "accept" });
  expect(JSON.stringify(events.filter(({ type }) => type.startsWith("elicitation")))).not.toContain("Ada");
  const kept = entries.filter(({ kind }) => kind.startsWith("elicitation"));
  expect(kept).toMatchObject([
    { kind: "elicitation_asked", server: "s", fields: ["name", "age"], message: "Who are you?" },
    { kind: "elicitation_answered", action: "accept", fields: ["name", "age"] },
  ]);
  expect(JSON.stringify(kept)).not.toContain("Ada");
});

test.each(eras)("what the person does not want reaches a %s server as that", async (era) => {
  for (const action of ["decline", "cancel"] as const) {
    const server = askingServer({ era, tools: ["t"], call: (call) => askOnce(call, era, form) });
    const { told } = await runCalls(server, ["t"], { elicit: () => ({ action }) });
    expect(told).toContain(`{"action":"${action}"}`);
  }
});

test.each(eras)("an answer that does not fit never reaches a %s server, and the run says so", async (era) => {
  for (const content of [{}, { name: 1 }, { name: "a", age: -1 }, { name: "a", other: 1 }]) {
    const server = askingServer({ era, tools: ["t"], call: (call) => askOnce(call, era, form) });
    const { told, events, entries } = await runCalls(server, ["t"], {
      elicit: () => ({ action: "accept", content }),
    });
    expect(told).toContain('{"action":"cancel"}');
    expect(ofType(events, "warning").map(({ code }) => code)).toEqual(["elicitation"]);
    expect(entries.find(({ kind }) => kind === "elicitation_answered")).toMatchObject({
      action: "cancel",
      reason: expect.stringContaining("does not fit"),
    });
  }
});

test.each(eras)(
  "without somebody to ask nothing is announced to a %s server, and a question is refused",
  async (era) => {
    const server = askingServer({ era, tools: ["t"], call: (call) => askOnce(call, era, form) });
    const { told, events } = await runCalls(server, ["t"]);
    expect(server.capabilities()).toEqual(extensionsOf(era));
    expect(told).toContain("this host does not offer it");
    expect(ofType(events, "elicitation_requested")).toEqual([]);
  },
);

test("a call may need several answers in several rounds, and each round carries the state of the one before", async () => {
  const states: unknown[] = [];
  const server = askingServer({
    era: "modern",
    tools: ["t"],
    call({ params }) {
      states.push(params.requestState);
      const round = states.length;
      const question = { method: "elicitation/create", params: form };
      if (round < 3) return inputRequired({ a: question, b: question }, `state ${round}`);
      return textResult(JSON.stringify(params.inputResponses));
    },
  });
  let asked = 0;
  const { told } = await runCalls(server, ["t"], {
    elicit: () => ({ action: "accept", content: { name: `${++asked}` } }),
  });
  expect(states).toEqual([undefined, "state 1", "state 2"]);
  expect(JSON.parse(told)).toMatchObject({ a: { content: { name: "3" } }, b: { content: { name: "4" } } });
  const calls = server.sent.filter(({ method }) => method === "tools/call");
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
});

test("a server that only wants to be asked again is not asked for ever", async () => {
  const again = { resultType: "input_required", requestState: "s" };
  const server = askingServer({ era: "modern", tools: ["t"], call: () => again });
  const { told } = await runCalls(server, ["t"]);
  expect(told).toBe(
    'Server "s" does not go on with the call: it asked 10 times to be asked again. The call may have run.',
  );
  expect(server.sent.filter(({ method }) => method === "tools/call")).toHaveLength(10);
});

test("what a server needs and does not get is told as that, and not as an error of the server", async () => {
  const needs = inputRequired({ a: { method: "model/borrow", params: {} } }, "s");
  const server = askingServer({ era: "modern", tools: ["t"], call: () => needs });
  const { told } = await runCalls(server, ["t"]);
  expect(told).toBe(
    'Server "s" does not go on with the call: it asks for input that it does not get (model/borrow). Not answered: this host does not offer it. The call may have run.',
  );
});
