import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { TelemetryTracer } from "../../src/types/telemetry.ts";
import { type AskingCall, askingServer, textResult } from "../connections/elicitation/asking-server.ts";
import { httpServer, legacyAnswer, sendJson } from "../fixtures/connections/http-server.ts";
import { runScript, textOf } from "../support/run-host.ts";
import { recorded } from "./traced.ts";

const program = join(import.meta.dirname, "../fixtures/echo-meta-server.mjs");
const steps = [{ calls: [{ name: "s__meta" }] }, { text: "done" }];

function traceOf(span: ReturnType<ReturnType<typeof recorded>["span"]>): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

test.each(["modern", "legacy"] as const)(
  "a server of the %s era gets the span of its call in `_meta`",
  async (protocol) => {
    const spans = recorded();
    const config = { command: process.execPath, args: [program], protocol };
    const { results } = await runScript(steps, {
      servers: { s: { config } },
      telemetry: { tracer: spans.tracer },
    });
    const span = spans.span("execute_tool meta");
    expect(JSON.parse(textOf(results(0)[0]))).toMatchObject({ traceparent: traceOf(span) });
    expect(span.attributes).toMatchObject({
      "network.transport": "pipe",
      "mcp.protocol.version": protocol === "modern" ? "2026-07-28" : "2025-11-25",
    });
  },
);

test("a server over HTTP gets it too, and its session and address are told", async () => {
  const spans = recorded();
  let meta: unknown;
  const answer = legacyAnswer(({ id, params }, response) => {
    meta = params._meta;
    sendJson(response, { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "ok" }] } });
  }, "session-1");
  const { url } = await httpServer(answer);
  await runScript([{ calls: [{ name: "s__t" }] }, { text: "done" }], {
    servers: { s: { config: { url, protocol: "legacy" } } },
    telemetry: { tracer: spans.tracer },
  });
  const span = spans.span("execute_tool t");
  expect(meta).toMatchObject({ traceparent: traceOf(span) });
  expect(span.attributes).toMatchObject({
    "mcp.session.id": "session-1",
    "network.transport": "tcp",
    "network.protocol.name": "http",
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(url).port),
  });
});

test("without telemetry a call carries no trace", async () => {
  const config = { command: process.execPath, args: [program] };
  const { results } = await runScript(steps, { servers: { s: { config } } });
  const meta = JSON.parse(textOf(results(0)[0]));
  expect(meta).not.toHaveProperty("traceparent");
  expect(meta).not.toHaveProperty("tracestate");
});

/** A tracer of a program's own: no package, one identity for every span. */
function fixedTracer(identity: object, onStart = () => {}): TelemetryTracer {
  const span = {
    spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0, ...identity }),
    isRecording: () => true,
    setAttributes: () => span,
    addEvent: () => span,
    setStatus: () => span,
    end() {},
  };
  return {
    startSpan() {
      onStart();
      return span;
    },
  };
}

const ids = { traceId: "a".repeat(32), spanId: "b".repeat(16) };

test.each([
  [
    "state goes along, baggage has no place",
    { ...ids, traceFlags: 1, traceState: { serialize: () => "v=1" } },
    { traceparent: `00-${ids.traceId}-${ids.spanId}-01`, tracestate: "v=1" },
  ],
  [
    "a span that is not sampled says so",
    { ...ids, traceFlags: 0 },
    { traceparent: `00-${ids.traceId}-${ids.spanId}-00` },
  ],
  ["a tracer that makes no trace gives none", {}, {}],
  ["ids that are none are not sent", { traceId: `${"a".repeat(30)}\r\n`, spanId: ids.spanId }, {}],
] as const)("%s", async (_what, identity, expected) => {
  let meta: object = {};
  const call = ({ params }: AskingCall): unknown => {
    meta = params._meta as object;
    return textResult("ok");
  };
  const s = askingServer({ era: "legacy", tools: ["meta"], call });
  await runScript(steps, { servers: { s }, telemetry: { tracer: fixedTracer(identity) } });
  expect(meta).toEqual({ ...expected, progressToken: expect.anything() });
});

test("a tracer that throws costs its spans, one warning, and nothing else", async () => {
  const broken = fixedTracer({}, () => {
    throw new Error("no more spans");
  });
  const events: RunEvent[] = [];
  const { result } = await runScript([{ calls: [{ name: "s__read" }] }, { text: "done" }], {
    servers: { s: fakeServer([textTool("read", () => "1")]) },
    telemetry: { tracer: broken },
    onEvent: (event) => events.push(event),
  });
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "done", calls: 1 });
  expect(events.filter(({ type }) => type === "warning")).toEqual([
    {
      type: "warning",
      code: "telemetry",
      text: "Spans are missing, because the tracer failed: no more spans",
    },
  ]);
});
