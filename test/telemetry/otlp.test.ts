import { afterEach, expect, test, vi } from "vitest";
import { createHost } from "../../src/index.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { RunResult } from "../../src/types/events.ts";
import { collector } from "./collector.ts";

afterEach(() => vi.unstubAllEnvs());

interface Sent {
  readonly result: RunResult;
  readonly notices: readonly string[];
}

/** One run with this environment, until its host is closed. */
async function sendWith(variables: Readonly<Record<string, string>>): Promise<Sent> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const host = createHost({
    servers: { s: fakeServer([textTool("read", () => "RESULT")]).config },
    model: scriptedModel([{ calls: [{ name: "s__read", input: { a: "ARGUMENT" } }] }, { text: "ANSWER" }]),
    policy: { rules: ["allow */*"] },
    state: false,
    audit: false,
    telemetry: { exporter: "environment" },
  });
  const result = await host.run("QUESTION").result;
  await host.close();
  return { result, notices: host.notices };
}

test("spans go to the endpoint of the environment as OTLP, before the host is closed", async () => {
  const got = await collector();
  const { notices } = await sendWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${got.origin}/base/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=a%20secret%20key,broken",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
    OTEL_SERVICE_NAME: "bridge",
  });
  expect(notices).toEqual([]);
  expect(got.requests).toMatchObject([
    {
      url: "/base/v1/traces",
      headers: { "x-api-key": "a secret key", "content-type": "application/json" },
    },
  ]);
  expect(got.resource()).toMatchObject({
    "service.name": "bridge",
    "service.version": expect.any(String),
    "deployment.environment.name": "test",
  });
  const spans = got.spans();
  const named = (name: string) => spans.find((span) => span.name === name);
  const [run, turn, call] = ["invoke_agent", "turn", "execute_tool read"].map(named);
  expect(run).toMatchObject({
    kind: 1,
    status: { code: 0 },
    traceId: expect.stringMatching(/^[\da-f]{32}$/),
  });
  expect(run).not.toHaveProperty("parentSpanId");
  expect(turn).toMatchObject({ parentSpanId: run?.spanId, traceId: run?.traceId });
  expect(call).toMatchObject({ parentSpanId: turn?.spanId, kind: 1 });
  expect(named("chat scripted")).toMatchObject({ kind: 3 });
  expect(call?.attributes).toContainEqual({ key: "drawbridge.call.attempts", value: { intValue: "1" } });
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  }
  expect(got.requests[0]?.body).not.toMatch(/QUESTION|ARGUMENT|RESULT|ANSWER/);
});

test("an endpoint for traces is taken as it is, and content only where its variable says so", async () => {
  const got = await collector();
  await sendWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${got.origin}/custom`,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  expect(got.requests.map(({ url }) => url)).toEqual(["/custom"]);
  for (const word of ["QUESTION", "ARGUMENT", "RESULT", "ANSWER"])
    expect(got.requests[0]?.body).toContain(word);
});

test("a process that was started within a span goes on with its trace, or leaves it where it is not sampled", async () => {
  const got = await collector();
  const [trace, span] = ["a".repeat(32), "b".repeat(16)];
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: got.origin };
  await sendWith({ ...endpoint, TRACEPARENT: `00-${trace}-${span}-01` });
  const run = got.spans().find(({ name }) => name === "invoke_agent");
  expect(run).toMatchObject({ traceId: trace, parentSpanId: span });
  await sendWith({ ...endpoint, TRACEPARENT: `00-${trace}-${span}-00` });
  expect(got.requests).toHaveLength(1);
});

test.each([
  ["no endpoint", {}],
  ["OTEL_SDK_DISABLED", { OTEL_SDK_DISABLED: "true" }],
  ["OTEL_TRACES_EXPORTER none", { OTEL_TRACES_EXPORTER: "none" }],
])("nothing is sent with %s", async (what, variables) => {
  const got = await collector();
  const endpoint = what === "no endpoint" ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: got.origin };
  const { notices } = await sendWith({ ...endpoint, ...variables });
  expect([got.requests, notices]).toEqual([[], []]);
});

test("a collector that refuses, or is not there, costs the spans and one sentence", async () => {
  const refusing = await collector(503);
  const refused = await sendWith({ OTEL_EXPORTER_OTLP_ENDPOINT: refusing.origin });
  expect(refused.result.stop.type).toBe("answered");
  expect(refused.notices).toEqual([
    `Spans could not be sent to ${refusing.origin}, and were dropped: HTTP 503.`,
  ]);
  const absent = await sendWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  expect(absent.result.stop.type).toBe("answered");
  expect(absent.notices).toEqual([
    "Spans could not be sent to http://127.0.0.1:1, and were dropped: it cannot be reached.",
  ]);
});

test("a collector that never answers does not keep a host from closing", async () => {
  const silent = await collector(0);
  const { notices } = await sendWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: silent.origin,
    OTEL_EXPORTER_OTLP_TIMEOUT: "50",
  });
  expect(notices).toEqual([
    `Spans could not be sent to ${silent.origin}, and were dropped: no answer within 0.05 s.`,
  ]);
});

test("the spans that a collector does not take before a host is closed are said to be lost", async () => {
  const silent = await collector(0);
  const { notices } = await sendWith({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.origin });
  expect(notices).toEqual([`The last spans were dropped: ${silent.origin} did not take them within 2 s.`]);
});

test("the key behind the scheme of a header, and what a URL holds, are secrets too", async () => {
  const got = await collector();
  for (const [name, value] of Object.entries({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${got.origin}/?key=QUESTION1`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20ARGUMENT",
  }))
    vi.stubEnv(name, value);
  const host = createHost({
    servers: {},
    model: scriptedModel([{ text: "QUESTION1 ARGUMENT" }]),
    state: false,
    audit: false,
    telemetry: { exporter: "environment", content: true },
  });
  await host.run("?").result;
  await host.close();
  expect(got.requests[0]?.body).toContain("⟨secret OTLP authorization, 8 chars⟩");
  expect(got.requests[0]?.body).not.toMatch(/QUESTION1|ARGUMENT/);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /is no http:\/\/ or https:\/\/ URL/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /http\/json/],
])("an environment that cannot be followed is told, and the run goes on", async (variables, sentence) => {
  const { result } = await sendWith(variables);
  expect(result.stop.type).toBe("answered");
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  const host = createHost({
    servers: {},
    model: scriptedModel([]),
    state: false,
    audit: false,
    telemetry: { exporter: "environment" },
  });
  expect(host.notices).toEqual([expect.stringMatching(sentence)]);
  await host.close();
});
