import { expect, test } from "vitest";
import { HostError } from "../../src/errors.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import { askingServer, textResult } from "../connections/elicitation/asking-server.ts";
import { runScript } from "../support/run-host.ts";
import { recorded } from "./traced.ts";

const call = (name: string, input: object = {}) => ({ name: `s__${name}`, input });

test("calls of one turn stand side by side below it, each behind its decision", async () => {
  const spans = recorded();
  const s = fakeServer([textTool("read", () => "1"), textTool("list", () => "2")]);
  await runScript([{ calls: [call("read"), call("list")] }, { text: "done" }], {
    servers: { s },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree()).toEqual([
    "invoke_agent",
    "  turn",
    "    chat scripted",
    "    decide read",
    "    decide list",
    "    execute_tool read",
    "    execute_tool list",
    "  turn",
    "    chat scripted",
  ]);
  const { attributes, kind, status } = spans.span("execute_tool read");
  expect(attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.name": "read",
    "gen_ai.tool.call.id": "call_1",
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": "2025-11-25",
    "drawbridge.server.id": "s",
    "drawbridge.tool.alias": "s__read",
    "drawbridge.call.attempts": 1,
  });
  expect([kind, status.code]).toEqual([0, 0]);
  expect(spans.span("decide list").attributes).toMatchObject({
    "drawbridge.decision": "allow",
    "drawbridge.decision.by": "rule",
    "drawbridge.decision.tier": "user",
    "drawbridge.decision.rule": "allow */*",
    "gen_ai.tool.call.id": "call_2",
  });
});

test("requests and the run carry the model and its tokens, those of the cache in the sum", async () => {
  const spans = recorded();
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 7 };
  const { result } = await runScript([{ text: "done", usage }], { telemetry: { tracer: spans.tracer } });
  const tokens = {
    "gen_ai.usage.input_tokens": 117,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.usage.cache_read.input_tokens": 100,
    "gen_ai.usage.cache_creation.input_tokens": 7,
  };
  const model = { "gen_ai.provider.name": "scripted", "gen_ai.request.model": "scripted" };
  const chat = spans.span("chat scripted");
  expect(chat.kind).toBe(2);
  expect(chat.attributes).toEqual({
    ...{ "gen_ai.operation.name": "chat", ...model, ...tokens, "gen_ai.request.stream": true },
    "gen_ai.response.finish_reasons": ["end_turn"],
  });
  expect(spans.span("invoke_agent").attributes).toMatchObject({
    ...{ "gen_ai.operation.name": "invoke_agent", ...model, ...tokens },
    "drawbridge.run.id": result.runId,
    "drawbridge.run.stop": "answered",
    "gen_ai.conversation.id": expect.stringMatching(/^conversation_/),
  });
});

test("a call that is denied has a decision and no execution", async () => {
  const spans = recorded();
  await runScript([{ calls: [call("read")] }, { text: "done" }], {
    servers: { s: fakeServer([textTool("read", () => "1")]) },
    policy: { rules: ["ask s/*"] },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().filter((line) => /decide|execute/.test(line))).toEqual(["    decide read"]);
  expect(spans.span("decide read").attributes).toMatchObject({
    "drawbridge.decision": "deny",
    "drawbridge.decision.unasked": true,
  });
});

test("what a tool calls an error, what has no answer, and what is no call are told apart", async () => {
  const spans = recorded();
  const broken = { definition: { name: "broken", inputSchema: { type: "object" } } };
  const s = fakeServer([
    { ...broken, run: () => ({ content: [{ type: "text", text: "no" }], isError: true }) },
    textTool("fails", () => Promise.reject(new Error("no"))),
  ]);
  await runScript([{ calls: [call("broken"), call("fails"), call("unknown")] }, { text: "done" }], {
    servers: { s },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().slice(1, 7)).toEqual([
    "  turn +call_rejected",
    "    chat scripted",
    "    decide broken",
    "    decide fails",
    "    execute_tool broken !tool_error",
    "    execute_tool fails !call_protocol_error",
  ]);
  expect(spans.span("execute_tool fails").status.code).toBe(2);
});

test("attempts of one request are events of its span, and so is the second attempt of a call", async () => {
  const spans = recorded();
  let tries = 0;
  const slowOnce = textTool(
    "read",
    () => {
      tries += 1;
      return tries === 1 ? new Promise<string>(() => {}) : "late";
    },
    { annotations: { readOnlyHint: true } },
  );
  await runScript([{ calls: [call("read")], failedAttempts: ["overloaded"] }, { text: "done" }], {
    servers: { s: fakeServer([slowOnce], { trust: true }) },
    limits: { callIdleMs: 50 },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().slice(2, 5)).toEqual([
    "    chat scripted +attempt_revoked",
    "    decide read",
    "    execute_tool read +call_retried",
  ]);
  expect(spans.span("execute_tool read").attributes["drawbridge.call.attempts"]).toBe(2);
});

test("a model that refuses has a span of its own before the one that is asked instead", async () => {
  const spans = recorded();
  const second = { ...scriptedModel([{ text: "done" }]), name: "second" };
  await runScript([{ stopReason: "refusal", refusal: "Never." }], {
    fallbackModels: [second],
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree()).toEqual([
    "invoke_agent",
    "  turn",
    "    chat scripted !refused +attempt_revoked",
    "    chat second",
  ]);
  expect(spans.span("chat second").attributes["gen_ai.request.model"]).toBe("second");
});

test("a refusal that nobody answers is an error of the request, its turn and the run", async () => {
  const spans = recorded();
  await runScript([{ stopReason: "refusal" }], { telemetry: { tracer: spans.tracer } });
  expect(spans.tree()).toEqual(["invoke_agent !refused", "  turn !refused", "    chat scripted !refused"]);
});

test("a model that fails ends its request, its turn and the run with the code", async () => {
  const spans = recorded();
  await runScript([new HostError("model_overloaded", "Busy. Try later.")], {
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree()).toEqual([
    "invoke_agent !model_overloaded",
    "  turn !model_overloaded",
    "    chat scripted !model_overloaded",
  ]);
  expect(spans.span("invoke_agent").status).toEqual({ code: 2 });
});

test("a limit is the run's error and nobody else's", async () => {
  const spans = recorded();
  await runScript([{ calls: [call("read")] }], {
    servers: { s: fakeServer([textTool("read", () => "1")]) },
    run: { maxTurns: 1 },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().filter((line) => line.includes("!"))).toEqual(["invoke_agent !turn_limit"]);
});

test("an abort ends every span that is open", async () => {
  const spans = recorded();
  const abort = new AbortController();
  const s = fakeServer([textTool("read", () => new Promise<string>(() => abort.abort()))]);
  await runScript([{ calls: [call("read")] }], {
    servers: { s },
    run: { signal: abort.signal },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree()).toEqual([
    "invoke_agent !aborted",
    "  turn !aborted",
    "    chat scripted",
    "    decide read",
    "    execute_tool read !call_aborted",
  ]);
});

test("what a server asks of the model stands below the call that needs it", async () => {
  const spans = recorded();
  const prompt = { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 9 };
  const server = askingServer({
    era: "legacy",
    tools: ["read"],
    call: async ({ ask }) => textResult(JSON.stringify(await ask("sampling/createMessage", prompt))),
    settings: { sampling: true },
  });
  await runScript([{ calls: [call("read")] }, { text: "It is." }, { text: "done" }], {
    servers: { s: server },
    policy: { rules: ["allow s/*", 'allow s/"sampling/createMessage"'] },
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().slice(4, 6)).toEqual(["    execute_tool read", "      sampling/createMessage"]);
  expect(spans.span("sampling/createMessage")).toMatchObject({
    kind: 1,
    attributes: {
      "mcp.method.name": "sampling/createMessage",
      "gen_ai.request.max_tokens": 9,
      "drawbridge.sampling.outcome": "answered",
    },
  });
});

test("what a server asks of the person stands there too, with the answer's kind and not the answer", async () => {
  const spans = recorded();
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const server = askingServer({
    era: "legacy",
    tools: ["read"],
    call: async ({ ask }) => {
      await ask("elicitation/create", { message: "QUESTION", requestedSchema });
      return textResult("ok");
    },
  });
  await runScript([{ calls: [call("read")] }, { text: "done" }], {
    servers: { s: server },
    elicit: async () => ({ action: "accept", content: { name: "ANSWER" } }),
    telemetry: { tracer: spans.tracer },
  });
  expect(spans.tree().slice(4, 6)).toEqual(["    execute_tool read", "      elicitation/create"]);
  expect(spans.span("elicitation/create").attributes).toMatchObject({
    "drawbridge.elicitation.mode": "form",
    "drawbridge.elicitation.action": "accept",
  });
  expect(spans.text()).not.toMatch(/QUESTION|ANSWER/);
});
