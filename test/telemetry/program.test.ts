import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { HostOptions } from "../../src/types/config.ts";
import { runScript } from "../support/run-host.ts";
import { type Recorded, recorded } from "./traced.ts";

/** What a program's own SDK does when it is set up: the context follows the code. */
function followContext(): void {
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (held, fn, thisArg, ...args) => storage.run(held, () => fn.apply(thisArg, args)),
    bind: (_held, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

let spans: Recorded;
beforeEach(() => {
  followContext();
  spans = recorded();
});
afterEach(() => {
  context.disable();
  trace.disable();
});

const tools = () => fakeServer([textTool("read", () => "1")]);

function hostOf(telemetry: HostOptions["telemetry"]) {
  return createHost({
    servers: { s: tools().config },
    model: scriptedModel([{ text: "one" }, { text: "two" }]),
    state: false,
    audit: false,
    telemetry: telemetry ?? true,
  });
}

test("the API's own tracer fits, and the span that is active where a run begins is its parent", async () => {
  const tracer = spans.provider.getTracer("program");
  await using host = hostOf({ tracer });
  await tracer.startActiveSpan("request", async (own) => {
    await host.run("go").result;
    own.end();
  });
  await host.run("go").result;
  const request = spans.span("request").spanContext();
  const runs = spans.spans().filter(({ name }) => name === "invoke_agent");
  expect(runs.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([request.spanId, undefined]);
  expect(runs[0]?.spanContext().traceId).toBe(request.traceId);
});

test("a call that the program makes itself is a decision and an execution below what is active", async () => {
  const tracer = spans.provider.getTracer("program");
  await using host = hostOf({ tracer });
  await tracer.startActiveSpan("request", async (own) => {
    await host.call("s", "read");
    own.end();
  });
  expect(spans.tree().sort()).toEqual(["  decide read", "  execute_tool read", "request"]);
});

test("`telemetry: true` uses the provider that is registered, also later than the host", async () => {
  await using host = hostOf(true);
  await host.run("go").result;
  expect(spans.spans()).toEqual([]);
  trace.setGlobalTracerProvider(spans.provider);
  await host.run("go").result;
  const [run] = spans.spans().filter(({ name }) => name === "invoke_agent");
  expect(run?.instrumentationScope.name).toBe("drawbridge-mcp");
});

test.each([undefined, false])("with telemetry %s a registered provider gets nothing", async (telemetry) => {
  trace.setGlobalTracerProvider(spans.provider);
  const asked = telemetry === undefined ? {} : { telemetry };
  await runScript([{ calls: [{ name: "s__read" }] }, { text: "done" }], {
    servers: { s: tools() },
    ...asked,
  });
  expect(spans.spans()).toEqual([]);
});

test("a tracer and an exporter at once are refused", () => {
  const telemetry = { tracer: spans.tracer, exporter: "environment" } as const;
  expect(() => hostOf(telemetry)).toThrow("`telemetry` takes a tracer or an exporter, not both.");
});
